// The history of the bounds: fetched, drawn as a chart, and shown as a sentence and a table.

import { fill } from "../board/make_board.js";
import { drawBounds } from "./chart.js";
import { durationText } from "./durations.js";

const FEWEST_EVENTS = 2;
const LONGEST_TABLE = 200;
const PAUSE_MS = 1500;

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
    if (over) clearTimeout(this.due);
    else if (this.due) return;
    this.due = setTimeout(() => this.#draw(), over ? 0 : this.pause);
    this.pause = PAUSE_MS;
  }

  async #draw() {
    this.due = null;
    const { view, part, numbers, words } = this;
    const answer = await fetch(this.address, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) return; // the next change asks again
    const raw = (await answer.json()).events;
    if (raw.length < FEWEST_EVENTS || (this.view.finished_at && !view.finished_at)) return;
    const start = raw[0].time;
    const events = raw.map((event) => ({ time: event.time - start, lower: event.lower_bound, upper: event.upper_bound, number: event.number }));
    const end = (view.finished_at ?? Date.now() / 1000) - start;
    const timeText = (seconds) => durationText(seconds, words, numbers);
    part("chart-box").hidden = false;
    drawBounds(part("chart"), events, Math.max(end, events.at(-1).time), timeText, numbers);
    part("chart-words").textContent = inWords(events, timeText, numbers, words);
    fillTable(part("chart-table"), events, timeText, numbers);
  }
}

function inWords(events, timeText, numbers, words) {
  const { time, lower, upper, number } = events.at(-1);
  const known = upper === null || upper === undefined ? words.events_lower : words.events;
  return fill(known, {
    time: timeText(time),
    lower: numbers.format(lower),
    upper: upper === null ? "" : numbers.format(upper),
    count: numbers.format(number - 1), // some events are left out where there are many
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
