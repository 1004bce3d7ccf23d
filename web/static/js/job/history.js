// The history of the bounds as a chart, a sentence and a table. If the job only improves a solution, the
// chart shows the number of moves during this job.

import { fill } from "../board/board_rendering.js";
import { drawBoundsChart } from "./chart.js";
import { formatDuration, formatTick } from "./duration_format.js";
import { drawMovesChart } from "./moves_chart.js";
import { formatCount } from "./verdict.js";

const MIN_EVENTS = 2;
const MAX_ROWS = 200;
const PAUSE_MS = 1500;
const REDRAW_MS = 3000; // the time axis grows even without new events

/** Draws the history of the bounds when a new view arrives, at a limited rate. */
export class History {
  constructor(root, url, texts) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.url = `${url}/history`;
    this.texts = texts;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
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
    const { part, numbers, texts } = this;
    const isImprovement = view.trials !== null && view.threshold === null;
    if (rawEvents.length < (isImprovement ? 1 : MIN_EVENTS)) return;
    clearTimeout(this.redrawTimer);
    if (isImprovement && view.finished_at === null) this.redrawTimer = setTimeout(() => this.#paint(rawEvents, view), REDRAW_MS);
    const start = isImprovement ? view.created_at : rawEvents[0].time;
    const timeText = (seconds) => formatDuration(seconds, texts, numbers);
    const methodText = (method) => texts.methods[method] ?? method;
    const events = toRelativeTimes(rawEvents, start);
    for (const event of events) {
      if (event.method) event.title = `${timeText(event.time)} · ${numbers.format(event.upper)} · ${methodText(event.method)}`;
    }
    const end = Math.max((view.finished_at ?? Date.now() / 1000) - start, events.at(-1).time);
    const tickText = (seconds) => formatTick(seconds, texts, numbers);
    this.events = events;
    part("chart-box").hidden = false;
    if (isImprovement) drawMovesChart(part("chart"), events, end, tickText, numbers);
    else drawBoundsChart(part("chart"), events, end, tickText, numbers);
    part("chart-title").textContent = isImprovement ? texts.chart_moves : texts.chart_bounds;
    part("chart-note").hidden = !isImprovement;
    part("chart-description").textContent = describeHistory(events, timeText, numbers, texts);
    showMethods(part("methods"), new Set(events.map(({ method }) => method).filter(Boolean)), methodText);
    fillTable(part("chart-table"), events, timeText, methodText, numbers);
  }
}

/** Convert event times to seconds since the start; the last event before the start becomes the first. */
function toRelativeTimes(rawEvents, start) {
  const first = Math.max(0, rawEvents.findLastIndex(({ time }) => time <= start));
  return rawEvents.slice(first).map((event) => ({ time: Math.max(0, event.time - start), lower: event.lower_bound, upper: event.upper_bound, number: event.number, method: event.time < start ? null : event.method }));
}

function describeHistory(events, timeText, numbers, texts) {
  const { time, lower, upper, number } = events.at(-1);
  const template = upper === null || upper === undefined ? texts.events_lower : texts.events;
  return fill(template, {
    time: timeText(time),
    lower: numbers.format(lower),
    upper: upper === null ? "" : numbers.format(upper),
    improvements: formatCount(number - events[0].number, texts.improvements, numbers), // long histories omit some events
  });
}

/** Show a legend of the methods that found solutions. */
function showMethods(legend, methods, methodText) {
  const items = [...methods].map((method) => {
    const item = document.createElement("span");
    item.className = `method-mark method-mark-${method}`;
    item.textContent = methodText(method);
    return item;
  });
  legend.replaceChildren(...items);
}

function fillTable(body, events, timeText, methodText, numbers) {
  body.replaceChildren();
  for (const { time, lower, upper, method } of events.slice(-MAX_ROWS)) {
    const row = body.insertRow();
    row.insertCell().textContent = timeText(time);
    for (const value of [lower, upper]) {
      const cell = row.insertCell();
      cell.className = "figure";
      cell.textContent = value === null ? "–" : numbers.format(value);
    }
    row.insertCell().textContent = method ? methodText(method) : "";
  }
}
