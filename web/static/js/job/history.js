// The history of the bounds: fetched, drawn as a chart, and shown as a sentence and a table. Of a board
// that is only made better, the chart shows the moves in the time of this job.

import { fill } from "../board/make_board.js";
import { drawBounds } from "./chart.js";
import { durationText } from "./durations.js";
import { drawMoves } from "./moves_chart.js";

const FEWEST_EVENTS = 2;
const LONGEST_TABLE = 200;
const PAUSE_MS = 1500;
const REDRAW_MS = 3000; // time goes on where nothing else does

/** Draws the history of the bounds when a view has arrived, but not too often. */
export class History {
  constructor(root, address, words) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.address = `${address}/history`;
    this.words = words;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.pause = 0;
  }

  show(view, over) {
    this.view = view;
    if (over) {
      clearTimeout(this.due);
      clearTimeout(this.again);
    } else if (this.due) return;
    this.due = setTimeout(() => this.#draw(), over ? 0 : this.pause);
    this.pause = PAUSE_MS;
  }

  async #draw() {
    this.due = null;
    const { view } = this;
    const answer = await fetch(this.address, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) return; // the next change asks again
    const raw = (await answer.json()).events;
    if (this.view.finished_at && !view.finished_at) return;
    this.#paint(raw, view);
  }

  #paint(raw, view) {
    const { part, numbers, words } = this;
    const bettered = view.improvement !== null && view.threshold === null;
    if (raw.length < (bettered ? 1 : FEWEST_EVENTS)) return;
    clearTimeout(this.again);
    if (bettered && view.finished_at === null) this.again = setTimeout(() => this.#paint(raw, view), REDRAW_MS);
    const start = bettered ? view.created_at : raw[0].time;
    const events = timed(raw, start);
    const end = Math.max((view.finished_at ?? Date.now() / 1000) - start, events.at(-1).time);
    const timeText = (seconds) => durationText(seconds, words, numbers);
    part("chart-box").hidden = false;
    if (bettered) drawMoves(part("chart"), events, end, timeText, numbers);
    else drawBounds(part("chart"), events, end, timeText, numbers);
    const { lower, upper } = events.at(-1);
    part("chart-title").textContent = bettered ? words.chart_moves : words.chart_bounds;
    part("legend").hidden = bettered;
    part("chart-note").hidden = !bettered;
    part("chart-note").textContent = lower < upper ? fill(words.chart_note, { lower: numbers.format(lower) }) : "";
    part("chart-words").textContent = inWords(events, timeText, numbers, words);
    fillTable(part("chart-table"), events, timeText, numbers);
  }
}

/** Events in seconds since the start; what was known before counts as its beginning. */
function timed(raw, start) {
  const begin = Math.max(0, raw.findLastIndex(({ time }) => time <= start));
  return raw.slice(begin).map((event) => ({ time: Math.max(0, event.time - start), lower: event.lower_bound, upper: event.upper_bound, number: event.number }));
}

function inWords(events, timeText, numbers, words) {
  const { time, lower, upper, number } = events.at(-1);
  const known = upper === null || upper === undefined ? words.events_lower : words.events;
  return fill(known, {
    time: timeText(time),
    lower: numbers.format(lower),
    upper: upper === null ? "" : numbers.format(upper),
    count: numbers.format(number - events[0].number), // some events are left out where there are many
  });
}

function fillTable(body, events, timeText, numbers) {
  body.replaceChildren();
  for (const { time, lower, upper } of events.slice(-LONGEST_TABLE)) {
    const row = body.insertRow();
    row.insertCell().textContent = timeText(time);
    for (const value of [lower, upper]) {
      const cell = row.insertCell();
      cell.className = "figure";
      cell.textContent = value === null ? "–" : numbers.format(value);
    }
  }
}
