// The bar charts of a comparison on one board, in the order of the table.

import { fill } from "../board/board_rendering.js";
import { drawBars } from "./bars.js";
import { FigureWriter, MetricChoice, chooseScale } from "./metrics.js";

function runKind({ length, optimal }) {
  if (length === null) return "none";
  return optimal ? "optimal" : "longer";
}

export class BarCharts {
  constructor(root, words) {
    this.words = words;
    this.writer = new FigureWriter(words);
    this.choices = [...root.querySelectorAll("[data-chart]")].map((panel) => new MetricChoice(panel, words, () => this.#draw()));
    this.runs = [];
  }

  /** Draw the runs that have ended so far. */
  show(view, order) {
    this.runs = order.map((key) => view.runs.find((run) => run.method === key)).filter((run) => run?.generated !== null);
    this.#draw();
  }

  #draw() {
    const charts = this.choices.map((choice) => {
      const bars = this.runs.map((run) => ({ title: this.words.methods[run.method], value: run[choice.metric], kind: runKind(run) }));
      // An empty chart stays visible, because it contains the selection of the metric.
      choice.panel.hidden = this.runs.length === 0;
      return { choice, bars };
    });
    // The widths are known only once all charts are visible.
    for (const { choice, bars } of charts) if (!choice.panel.hidden) this.#drawOne(choice, bars);
  }

  #drawOne(choice, bars) {
    const { metric, name, panel } = choice;
    const write = (value) => this.writer.write(metric, value);
    const known = bars.filter(({ value }) => value !== null).sort((a, b) => a.value - b.value);
    const scale = chooseScale(metric, known.length ? known.map(({ value }) => value) : [1]);
    choice.show(name, scale);
    drawBars(panel.querySelector("svg.bars"), bars, scale, write);
    const [first, last] = [known[0], known.at(-1)];
    panel.querySelector('[data-part="chart-words"]').textContent = known.length === 0 ? "" : fill(this.words.extremes, {
      title: name,
      min: write(first.value),
      first: first.title,
      max: write(last.value),
      last: last.title,
    });
  }
}
