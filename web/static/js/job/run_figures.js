// The statistics of a textbook search after it has ended.

import { fill } from "../board/board_rendering.js";

const MEBIBYTE = 2 ** 20;

export class RunFigures {
  constructor(root, words) {
    this.words = words;
    this.places = root.querySelectorAll("[data-figure]");
    this.ending = root.querySelector('[data-part="run-ending"]');
    const language = document.documentElement.lang;
    this.numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
    this.finely = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
    this.roughly = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  }

  show({ run }) {
    if (!run || run.seconds === null) return;
    for (const place of this.places) place.textContent = this.#text(place.dataset.figure, run);
    this.ending.hidden = run.stopped_by === null;
    this.ending.textContent = this.words.run_endings[run.stopped_by] ?? "";
  }

  #text(name, run) {
    if (name === "seconds") return fill(this.words.run_seconds, { count: this.finely.format(run.seconds) });
    if (name === "memory_bytes") return fill(this.words.run_memory, { count: this.roughly.format(run.memory_bytes / MEBIBYTE) });
    return this.numbers.format(run[name]);
  }
}
