// The panel "Progress": what is tried for a shorter solution now, what has gained moves, when the
// last improvement came. Tries change several times a second; what is shown changes once a second,
// line by line, and keeps its height, so that nothing jumps.

import { fill } from "../board/make_board.js";
import { durationText } from "./durations.js";

const PAUSE_MS = 1000;
const MOST_LINES = 4;

/** A text is only touched where it changes: what somebody has selected stays selected. */
function tell(element, text) {
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
    if (trying.length) this.#showTries(trying); // none: between two tries, and the last ones stand
    this.#showPaid(paid);
    tell(part("improved"), this.#improved());
  }

  #showTries(trying) {
    const { part, words, numbers } = this;
    const list = part("trying");
    const shown = trying.slice(0, trying.length > MOST_LINES ? MOST_LINES - 1 : MOST_LINES).map((one) => this.#inWords(one));
    if (shown.length < trying.length) shown.push(fill(words.trying_more, { count: numbers.format(trying.length - shown.length) }));
    while (list.children.length > shown.length) list.lastElementChild.remove();
    while (list.children.length < shown.length) list.append(document.createElement("li"));
    shown.forEach((text, place) => tell(list.children[place], text));
    list.style.minHeight = `${list.offsetHeight}px`;
    tell(part("workers"), trying.length === 1 ? words.workers_one : fill(words.workers_many, { count: numbers.format(trying.length) }));
  }

  #inWords({ kind, width, view, first, count, length }) {
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

  /** A row for each kind of try, in the order in which they first came. */
  #showPaid(paid) {
    const { part, words, numbers, rows } = this;
    part("paid-box").hidden = paid.length === 0;
    for (const { kind, length, tries, seconds, gained } of paid) {
      const name = `${kind} ${length}`;
      if (!rows.has(name)) rows.set(name, addRow(part("paid")));
      const told = [fill(words.paid[kind] ?? kind, { length: numbers.format(length ?? 0) }), numbers.format(tries), this.#time(seconds), numbers.format(gained)];
      told.forEach((text, place) => tell(rows.get(name).cells[place], text));
    }
  }

  #improved() {
    const { words, over, view } = this;
    const { improved_at: at } = view.improvement;
    if (at === null) return over ? "" : words.improved_never;
    if (!over) return fill(words.improved_ago, { time: this.#time(Math.max(1, Date.now() / 1000 - at)) });
    // Others may go on with the board; what they find is not of this job.
    return at > view.finished_at ? "" : fill(words.improved_before_end, { time: this.#time(view.finished_at - at) });
  }

  #time(seconds) {
    return durationText(seconds < 1 ? seconds : Math.round(seconds), this.words, this.numbers);
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
