// The statistics of a textbook search after it has ended.

import { fill } from "../board/board_rendering.js";

const MEBIBYTE = 2 ** 20;

export class RunFigures {
  constructor(root, texts) {
    this.texts = texts;
    this.figures = root.querySelectorAll("[data-figure]");
    this.ending = root.querySelector('[data-part="run-ending"]');
    const language = document.documentElement.lang;
    this.numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
    this.precise = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
    this.rough = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  }

  show({ run }) {
    if (!run || run.seconds === null) return;
    for (const figure of this.figures) figure.textContent = this.#formatFigure(figure.dataset.figure, run);
    this.ending.hidden = run.stopped_by === null;
    this.ending.textContent = this.texts.run_endings[run.stopped_by] ?? "";
  }

  #formatFigure(name, run) {
    if (name === "seconds") return fill(this.texts.run_seconds, { count: this.precise.format(run.seconds) });
    if (name === "memory_bytes") return fill(this.texts.run_memory, { count: this.rough.format(run.memory_bytes / MEBIBYTE) });
    return this.numbers.format(run[name]);
  }
}
