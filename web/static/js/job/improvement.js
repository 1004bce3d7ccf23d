// The panel "Progress": the current improvement trials, those that saved moves, and the time of the last
// improvement. Trials change several times per second; the panel is updated once per second, line by
// line, and keeps its height to avoid layout shifts.

import { fill } from "../board/board_rendering.js";
import { formatDuration } from "./duration_format.js";

const PAUSE_MS = 1000;
const MAX_LINES = 4;

/** Set the text only if it changes, so that the visitor's selection survives. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export class ImprovementPanel {
  constructor(root, words) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.words = words;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.rows = new Map();
    addEventListener("resize", () => this.part("trying").style.removeProperty("min-height"));
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
    const { trying, paid } = view.improvement;
    part("improvement").hidden = over && !paid.length;
    part("trying-box").hidden = over;
    if (trying.length) this.#showTrials(trying); // empty between two trials: keep showing the last ones
    this.#showGains(paid);
    setText(part("improved"), this.#describeLastImprovement());
  }

  #showTrials(trying) {
    const { part, words, numbers } = this;
    const list = part("trying");
    const shown = trying.slice(0, trying.length > MAX_LINES ? MAX_LINES - 1 : MAX_LINES).map((one) => this.#describeTrial(one));
    if (shown.length < trying.length) shown.push(fill(words.trying_more, { count: numbers.format(trying.length - shown.length) }));
    while (list.children.length > shown.length) list.lastElementChild.remove();
    while (list.children.length < shown.length) list.append(document.createElement("li"));
    shown.forEach((text, place) => setText(list.children[place], text));
    list.style.minHeight = `${list.offsetHeight}px`;
    setText(part("workers"), trying.length === 1 ? words.workers_one : fill(words.workers_many, { count: numbers.format(trying.length) }));
  }

  #describeTrial({ kind, width, view, first, count, length }) {
    const { words, numbers } = this;
    const template = kind === "beam" && view ? "beam_view" : kind;
    return fill(words.trying[template] ?? kind, {
      width: numbers.format(width),
      view,
      length: numbers.format(length ?? 0),
      first: numbers.format((first ?? 0) + 1),
      last: numbers.format((first ?? 0) + (count ?? 0)),
    });
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
