// The statistics of a textbook search after it has ended.

import { FigureFormatter } from "../compare/metrics.js";

export class RunFigures {
  constructor(root, texts) {
    this.texts = texts;
    this.figures = root.querySelectorAll("[data-figure]");
    this.ending = root.querySelector('[data-part="run-ending"]');
    this.formatter = new FigureFormatter(texts.run_figures);
  }

  show({ run }) {
    if (!run || run.seconds === null) return;
    for (const figure of this.figures) {
      const name = figure.dataset.figure;
      figure.textContent = this.formatter.formatFully(name, run[name]);
    }
    this.ending.hidden = run.stopped_by === null;
    this.ending.textContent = this.texts.run_endings[run.stopped_by] ?? "";
  }
}
