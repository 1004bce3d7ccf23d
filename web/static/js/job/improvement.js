// The panel "Progress": which trials saved moves, and the time of the last improvement. Trials change several
// times per second; the panel is updated once per second.

import { fill } from "../board/board_rendering.js";
import { setText } from "./activity.js";
import { formatDuration } from "./duration_format.js";

const PAUSE_MS = 1000;
const LONG_SILENCE_S = 120;

export class ImprovementPanel {
  constructor(root, texts, history) {
    this.history = history;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.texts = texts;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.rows = new Map();
  }

  show(view, over) {
    this.view = view;
    this.over = over;
    if (!view.trials) return;
    if (over) {
      clearInterval(this.ticking);
      this.#draw();
    } else if (!this.ticking) {
      this.#draw();
      this.ticking = setInterval(() => this.#draw(), PAUSE_MS);
    }
  }

  #draw() {
    const { part, over, view } = this;
    const { statistics } = view.trials;
    part("improvement").hidden = over && !statistics.length;
    this.#showGains(statistics);
    this.#showSilence();
    setText(part("improved"), this.#describeLastImprovement());
  }

  /** Show a row for each kind of trial, in order of first appearance. */
  #showGains(statistics) {
    const { part, texts, numbers, rows } = this;
    part("paid-box").hidden = statistics.length === 0;
    for (const { kind, length, trials, seconds, gained } of statistics) {
      const name = `${kind} ${length}`;
      if (!rows.has(name)) rows.set(name, addRow(part("paid")));
      const cells = [fill(texts.paid[kind] ?? kind, { length: numbers.format(length ?? 0) }), numbers.format(trials), this.#formatTime(seconds), numbers.format(gained)];
      cells.forEach((text, index) => setText(rows.get(name).cells[index], text));
    }
  }

  /** Show a notice if no shorter solution has been found for a long time, unless the search also proves bounds. */
  #showSilence() {
    const { part, over, view, texts } = this;
    const seconds = Date.now() / 1000 - Math.max(view.trials.improved_at ?? 0, view.started_at ?? view.created_at);
    const isLong = !over && view.threshold === null && seconds > LONG_SILENCE_S;
    part("silence").hidden = !isLong;
    if (!isLong) return;
    const gain = this.history.measureGain(seconds);
    setText(part("silence-text"), fill(gain.moves ? texts.silence : texts.silence_only, {
      time: this.#formatTime(seconds),
      before: this.#formatTime(gain.seconds),
      count: this.numbers.format(gain.moves),
    }));
  }

  #describeLastImprovement() {
    const { texts, over, view } = this;
    const { improved_at: improvedAt } = view.trials;
    if (improvedAt === null) return over ? "" : texts.improved_never;
    if (!over) return fill(texts.improved_ago, { time: this.#formatTime(Math.max(1, Date.now() / 1000 - improvedAt)) });
    // Later improvements belong to other jobs for the same board.
    return improvedAt > view.finished_at ? "" : fill(texts.improved_before_end, { time: this.#formatTime(view.finished_at - improvedAt) });
  }

  #formatTime(seconds) {
    return formatDuration(seconds < 1 ? seconds : Math.round(seconds), this.texts, this.numbers);
  }
}

function addRow(body) {
  const row = body.insertRow();
  const name = document.createElement("th");
  name.scope = "row";
  row.append(name);
  for (let column = 0; column < 3; column += 1) row.insertCell().className = "figure";
  return row;
}
