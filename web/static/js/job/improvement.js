// The panel "Progress": which trials saved moves, and the time of the last improvement. Trials change several
// times per second; the panel is updated once per second.

import { fill } from "../board/board_rendering.js";
import { setText } from "./activity.js";
import { formatDuration } from "./duration_format.js";

const PAUSE_MS = 1000;
const LONG_SILENCE_S = 120;

export class ImprovementPanel {
  constructor(root, words, history) {
    this.history = history;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.words = words;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.rows = new Map();
  }

  show(view, over) {
    this.view = view;
    this.over = over;
    if (!view.improvement) return;
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
    const { paid } = view.improvement;
    part("improvement").hidden = over && !paid.length;
    this.#showGains(paid);
    this.#showSilence();
    setText(part("improved"), this.#describeLastImprovement());
  }

  /** Show a row for each kind of trial, in order of first appearance. */
  #showGains(paid) {
    const { part, words, numbers, rows } = this;
    part("paid-box").hidden = paid.length === 0;
    for (const { kind, length, tries, seconds, gained } of paid) {
      const name = `${kind} ${length}`;
      if (!rows.has(name)) rows.set(name, addRow(part("paid")));
      const texts = [fill(words.paid[kind] ?? kind, { length: numbers.format(length ?? 0) }), numbers.format(tries), this.#formatTime(seconds), numbers.format(gained)];
      texts.forEach((text, place) => setText(rows.get(name).cells[place], text));
    }
  }

  /** Say so if nothing shorter has been found for long, unless the search also proves. */
  #showSilence() {
    const { part, over, view, words } = this;
    const seconds = Date.now() / 1000 - Math.max(view.improvement.improved_at ?? 0, view.started_at ?? view.created_at);
    const isLong = !over && view.threshold === null && seconds > LONG_SILENCE_S;
    part("silence").hidden = !isLong;
    if (!isLong) return;
    const before = this.history.gainBefore(seconds);
    setText(part("silence-text"), fill(before.moves ? words.silence : words.silence_only, {
      time: this.#formatTime(seconds),
      before: this.#formatTime(before.seconds),
      count: this.numbers.format(before.moves),
    }));
  }

  #describeLastImprovement() {
    const { words, over, view } = this;
    const { improved_at: at } = view.improvement;
    if (at === null) return over ? "" : words.improved_never;
    if (!over) return fill(words.improved_ago, { time: this.#formatTime(Math.max(1, Date.now() / 1000 - at)) });
    // Later improvements belong to other jobs for the same board.
    return at > view.finished_at ? "" : fill(words.improved_before_end, { time: this.#formatTime(view.finished_at - at) });
  }

  #formatTime(seconds) {
    return formatDuration(seconds < 1 ? seconds : Math.round(seconds), this.words, this.numbers);
  }
}

function addRow(body) {
  const row = body.insertRow();
  const name = document.createElement("th");
  name.scope = "row";
  row.append(name);
  for (let place = 0; place < 3; place++) row.insertCell().className = "figure";
  return row;
}
