// The chart of the moves of the best solution over time, for jobs that improve a solution. The first second
// can halve the number of moves, while hours later every move counts, so both axes are logarithmic: time, and the
// excess over the best solution. The lower bound usually lies far below and has its own panel.

import { draw, measureLabels, markSolutions, measureChart, makePath } from "./chart.js";

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
 * @param {(seconds: number) => string} timeText formats a round time
 * @param {Intl.NumberFormat} numbers
 * @returns {boolean} whether anything was drawn
 */
export function drawMovesChart(svg, events, end, timeText, numbers) {
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
  const left = measureLabels(lines.map((moves) => numbers.format(moves)));
  const isOpen = events.at(-1).lower < best;
  const floor = height - MARGIN.bottom - (isOpen ? LOWER_PANEL : 0);
  const x = (time) => left + (Math.log1p(time / first) / Math.log1p(last / first)) * (width - left - MARGIN.right);
  const y = (moves) => floor - ((toLog(moves) - low) / (high - low)) * (floor - MARGIN.top);

  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const moves of lines) {
    draw(svg, "line", { class: "chart-grid", x1: left, x2: width - MARGIN.right, y1: y(moves), y2: y(moves) });
    draw(svg, "text", { class: "chart-scale", x: left - 8, y: y(moves) + 4, "text-anchor": "end" }, numbers.format(moves));
  }
  drawTimes(svg, x, last, height, timeText);

  const points = [];
  for (const { time, upper } of solutions) {
    if (points.length) points.push([x(time), points.at(-1)[1]]);
    points.push([x(time), y(upper)]);
  }
  points.push([x(last), points.at(-1)[1]]);
  if (isOpen) drawLowerPanel(svg, events, x, last, height - MARGIN.bottom, left, numbers);
  draw(svg, "path", { class: "chart-band chart-band-upper", d: `${makePath([...points, [x(last), floor], [points[0][0], floor]])}Z` });
  draw(svg, "path", { class: "chart-upper", d: makePath(points) });
  markSolutions(svg, solutions, x, y);
  const [lastX, lastY] = points.at(-1);
  draw(svg, "circle", { class: "chart-dot chart-dot-upper", cx: lastX, cy: lastY, r: 4 });
  draw(svg, "text", { class: "chart-value chart-value-upper", x: lastX, y: lastY - 9, "text-anchor": "end" }, numbers.format(solutions.at(-1).upper));
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
function drawLowerPanel(svg, events, x, last, bottom, left, numbers) {
  for (const y of [bottom - LOWER_PANEL + 6, bottom - LOWER_PANEL + 11]) {
    draw(svg, "line", { class: "chart-break", x1: left - 6, x2: left + 6, y1: y + 3, y2: y - 3 });
  }
  const { lower } = events.at(-1);
  const lowest = events[0].lower;
  const y = (bound) => bottom - 6 - (lower > lowest ? ((bound - lowest) / (lower - lowest)) * LOWER_RISE : 0);
  const points = [];
  for (const event of events) {
    if (points.length) points.push([x(event.time), points.at(-1)[1]]);
    points.push([x(event.time), y(event.lower)]);
  }
  points.push([x(last), y(lower)]);
  draw(svg, "path", { class: "chart-lower", d: makePath(points) });
  draw(svg, "circle", { class: "chart-dot chart-dot-lower", cx: x(last), cy: y(lower), r: 4 });
  draw(svg, "text", { class: "chart-value chart-value-lower", x: x(last), y: y(lower) - 8, "text-anchor": "end" }, numbers.format(lower));
}

/** Label as many round times as fit. */
function drawTimes(svg, x, last, height, timeText) {
  const label = (time, anchor) => draw(svg, "text", { class: "chart-scale", x: x(time), y: height - 6, "text-anchor": anchor }, timeText(time));
  let nextFreeX = -Infinity;
  for (const time of TIMES) {
    if (time > last) return;
    if (x(time) < nextFreeX) continue;
    const isNearEnd = x(time) > x(last) - MIN_LABEL_WIDTH / 2;
    label(time, isNearEnd ? "end" : time ? "middle" : "start");
    nextFreeX = x(time) + MIN_LABEL_WIDTH;
  }
}
