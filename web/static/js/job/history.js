// The history of the bounds as a chart, a sentence and a log. If the job only improves a solution, the
// chart shows the number of moves during this job.

import { draw, drawBoundsChart, drawGrid, makePath, makeStepLine, markSolutions, measureChart, measureLabels } from "./chart.js";
import { formatDuration, formatGap, formatMoves, formatSlides, formatTick, nameMethod } from "./formats.js";
import { formatNumber } from "../numbers.js";
import { fill, gettext, ngettext } from "../texts.js";
import { make } from "../elements.js";

// The chart of the moves of the best solution over time, for jobs that improve a solution. The first second
// can halve the number of moves, while hours later every move counts, so both axes are logarithmic: time, and the
// excess over the best solution. The lower bound usually lies far below and has its own panel.

const MARGIN = { top: 14, right: 10, bottom: 26 };
const LOWER_PANEL = 44; // its height
const LOWER_RISE = 10; // of the lower bound in its panel, from its first to its last value
const FIRST_S = 0.1; // the time axis is roughly linear up to this time or the first solution
const MIN_EXCESS = 0.005; // relative to the best solution: moves are roughly linear up to this excess
const LINES = 4;
const MIN_LABEL_WIDTH = 52;
const TIMES = [0, 0.1, 1, 10, 60, 600, 3600, 36000, 360000, 3600000];

/**
 * @param {SVGSVGElement} svg its content is replaced
 * @param {{time: number, lower: number, upper: number | null}[]} events seconds since the start, ascending
 * @param {number} end seconds until which the last solution is drawn
 * @returns {boolean} whether anything was drawn
 */
function drawMovesChart(svg, events, end) {
  const solutions = events.filter(({ upper }) => upper !== null);
  if (!solutions.length) return false;
  const [width, height] = measureChart(svg);
  // A withdrawn solution can have been shorter than the last one.
  const best = Math.min(...solutions.map(({ upper }) => upper));
  const offset = Math.max(2, best * MIN_EXCESS);
  const first = Math.max(FIRST_S, solutions[0].time);
  const last = Math.max(end, solutions.at(-1).time, first);
  const toLog = (moves) => Math.log(moves - best + offset);
  const low = toLog(best - offset / 2);
  const high = toLog(Math.max(solutions[0].upper, best + offset));
  const lines = roundMoves(best, offset, low, high);
  const left = measureLabels(lines.map((moves) => formatNumber(moves)));
  const isOpen = events.at(-1).lower < best;
  const floor = height - MARGIN.bottom - (isOpen ? LOWER_PANEL : 0);
  const x = (time) => left + (Math.log1p(time / first) / Math.log1p(last / first)) * (width - left - MARGIN.right);
  const y = (moves) => floor - ((toLog(moves) - low) / (high - low)) * (floor - MARGIN.top);

  drawGrid(svg, lines, left, y);
  drawTimes(svg, x, last, height);

  const points = makeStepLine(solutions, "upper", x, y, last);
  if (isOpen) drawLowerPanel(svg, events, x, last, height - MARGIN.bottom, left);
  draw(svg, "path", { class: "chart-band chart-band-upper", d: `${makePath([...points, [x(last), floor], [points[0][0], floor]])}Z` });
  draw(svg, "path", { class: "chart-upper", d: makePath(points) });
  markSolutions(svg, solutions, x, y);
  const [lastX, lastY] = points.at(-1);
  draw(svg, "circle", { class: "chart-dot chart-dot-upper", cx: lastX, cy: lastY, r: 4 });
  draw(svg, "text", { class: "chart-value chart-value-upper", x: lastX, y: lastY - 9, "text-anchor": "end" }, formatNumber(solutions.at(-1).upper));
  return true;
}

/** Return numbers of moves at about even heights, rounded to the fewest digits that distinguish them. */
function roundMoves(best, offset, low, high) {
  const exact = Array.from({ length: LINES }, (_, line) => best - offset + Math.exp(low + ((line + 0.5) / LINES) * (high - low)));
  return exact.map((moves, line) => {
    const difference = line ? moves - exact[line - 1] : exact[1] - moves;
    const step = 10 ** Math.max(0, Math.floor(Math.log10(difference)));
    return Math.round(moves / step) * step;
  }).filter((moves, line, all) => moves >= best - offset / 2 && all.indexOf(moves) === line);
}

/** Draw the proven lower bound below a break of the axis. */
function drawLowerPanel(svg, events, x, last, bottom, left) {
  for (const y of [bottom - LOWER_PANEL + 6, bottom - LOWER_PANEL + 11]) {
    draw(svg, "line", { class: "chart-break", x1: left - 6, x2: left + 6, y1: y + 3, y2: y - 3 });
  }
  const { lower } = events.at(-1);
  const lowest = events[0].lower;
  const y = (bound) => bottom - 6 - (lower > lowest ? ((bound - lowest) / (lower - lowest)) * LOWER_RISE : 0);
  const points = makeStepLine(events, "lower", x, y, last);
  draw(svg, "path", { class: "chart-lower", d: makePath(points) });
  draw(svg, "circle", { class: "chart-dot chart-dot-lower", cx: x(last), cy: y(lower), r: 4 });
  draw(svg, "text", { class: "chart-value chart-value-lower", x: x(last), y: y(lower) - 8, "text-anchor": "end" }, formatNumber(lower));
}

/** Label as many round times as fit. */
function drawTimes(svg, x, last, height) {
  const label = (time, anchor) => draw(svg, "text", { class: "chart-scale", x: x(time), y: height - 6, "text-anchor": anchor }, formatTick(time));
  let nextFreeX = -Infinity;
  for (const time of TIMES) {
    if (time > last) return;
    if (x(time) < nextFreeX) continue;
    const isNearEnd = x(time) > x(last) - MIN_LABEL_WIDTH / 2;
    label(time, isNearEnd ? "end" : time ? "middle" : "start");
    nextFreeX = x(time) + MIN_LABEL_WIDTH;
  }
}

const MIN_EVENTS = 2;
const MAX_ROWS = 200;
const PAUSE_MS = 1500;
const REDRAW_MS = 3000; // the time axis grows even without new events

/** Draws the history of the bounds when a new view arrives, at a limited rate. */
export class History {
  constructor(root, url) {
    this.formatLength = root.dataset.metric === "slides" ? formatSlides : formatMoves;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.url = `${url}/history`;
    this.pause = 0;
    this.events = [];
  }

  /** Return the length of the period of up to `seconds` before the last improvement, and how many moves it saved. */
  measureGain(seconds) {
    const solutions = this.events.filter(({ upper }) => upper !== null);
    const last = solutions.find(({ upper }) => upper === solutions.at(-1).upper);
    if (!last) return { seconds: 0, moves: 0 };
    const from = Math.max(solutions[0].time, last.time - seconds);
    return { seconds: last.time - from, moves: solutions.findLast(({ time }) => time <= from).upper - last.upper };
  }

  show(view, over) {
    this.view = view;
    if (over) {
      clearTimeout(this.drawTimer);
      clearTimeout(this.redrawTimer);
    } else if (this.drawTimer) return;
    this.drawTimer = setTimeout(() => this.#draw(), over ? 0 : this.pause);
    this.pause = PAUSE_MS;
  }

  async #draw() {
    this.drawTimer = null;
    const { view } = this;
    const response = await fetch(this.url, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!response?.ok) return; // the next change retries
    const rawEvents = (await response.json()).events;
    if (this.view.finished_at && !view.finished_at) return;
    this.#paint(rawEvents, view);
  }

  #paint(rawEvents, view) {
    const { part } = this;
    const isImprovement = view.trials !== null && view.threshold === null;
    if (rawEvents.length < (isImprovement ? 1 : MIN_EVENTS)) return;
    clearTimeout(this.redrawTimer);
    if (isImprovement && view.finished_at === null) this.redrawTimer = setTimeout(() => this.#paint(rawEvents, view), REDRAW_MS);
    const start = isImprovement ? view.created_at : rawEvents[0].time;
    const events = toRelativeTimes(rawEvents, start);
    for (const event of events) {
      if (event.method) event.title = `${formatDuration(event.time)} · ${formatNumber(event.upper)} · ${nameMethod(event.method)}`;
    }
    const end = Math.max((view.finished_at ?? Date.now() / 1000) - start, events.at(-1).time);
    this.events = events;
    part("chart-box").hidden = part("log-box").hidden = false;
    if (isImprovement) drawMovesChart(part("chart"), events, end);
    else drawBoundsChart(part("chart"), events, end);
    part("chart-title").textContent = isImprovement ? gettext("Moves over time") : gettext("Bounds over time");
    part("chart-note").hidden = !isImprovement;
    part("chart-description").textContent = describeHistory(events, this.formatLength);
    showMethods(part("methods"), new Set(events.map(({ method }) => method).filter(Boolean)));
    fillLog(part("log"), events);
  }
}

/** Convert event times to seconds since the start; the last event before the start becomes the first. */
function toRelativeTimes(rawEvents, start) {
  const first = Math.max(0, rawEvents.findLastIndex(({ time }) => time <= start));
  return rawEvents.slice(first).map((event) => ({ time: Math.max(0, event.time - start), lower: event.lower_bound, upper: event.upper_bound, number: event.number, method: event.time < start ? null : event.method }));
}

function describeHistory(events, formatLength) {
  const { time, lower, upper, number } = events.at(-1);
  const template = upper === null || upper === undefined ? gettext("After {time}: optimal length at least {lower}, {improvements}.") : gettext("After {time}: optimal length {lower} to {upper}, {improvements}.");
  return fill(template, {
    time: formatDuration(time),
    lower: upper === null ? formatLength(lower) : formatNumber(lower),
    upper: upper === null ? "" : formatLength(upper),
    improvements: ngettext("{count} improvement", "{count} improvements", number - events[0].number), // long histories omit some events
  });
}

/** Show a legend of the methods that found solutions. */
function showMethods(legend, methods) {
  const items = [...methods].map((method) => make("span", { className: `method-mark method-mark-${method}` }, nameMethod(method)));
  legend.replaceChildren(...items);
}

/** Write a line for each event, the newest first, as MIP solvers do. */
function fillLog(body, events) {
  const lines = events.slice(-MAX_ROWS).reverse().map(({ time, lower, upper, method }) => {
    const gap = upper === null || !lower ? "–" : formatGap(lower, upper);
    const figures = [formatDuration(time), upper === null ? "–" : formatNumber(upper), formatNumber(lower), gap];
    return make("tr", {}, ...figures.map((text) => make("td", { className: "figure" }, text)), make("td", {}, method ? nameMethod(method) : ""));
  });
  body.replaceChildren(...lines);
}
