// The course of the bounds: fetched, drawn as a chart, and told as a sentence and a table.

import { fill } from "../board/make_board.js";
import { drawBounds } from "./chart.js";
import { durationText } from "./state_view.js";

const FEWEST_EVENTS = 2;
const LONGEST_TABLE = 200;

export async function drawHistory(root, address, view, words) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const answer = await fetch(`${address}/history`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) return; // the next change asks again
  const raw = (await answer.json()).events;
  if (raw.length < FEWEST_EVENTS) return;
  const start = raw[0].time;
  const events = raw.map((event) => ({ time: event.time - start, lower: event.lower_bound, upper: event.upper_bound }));
  const end = (view.finished_at ?? Date.now() / 1000) - start;
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  const timeText = (seconds) => durationText(seconds, words, numbers);
  part("chart-box").hidden = false;
  drawBounds(part("chart"), events, Math.max(end, events.at(-1).time), timeText, numbers);
  part("chart-words").textContent = inWords(events, timeText, numbers, words);
  fillTable(part("chart-table"), events, timeText, numbers);
}

function inWords(events, timeText, numbers, words) {
  const { time, lower, upper } = events.at(-1);
  const known = upper === null || upper === undefined ? words.events_lower : words.events;
  return fill(known, {
    time: timeText(time),
    lower: numbers.format(lower),
    upper: upper === null ? "" : numbers.format(upper),
    count: numbers.format(events.length - 1),
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
