// The bar charts of a comparison on one board, in the order of the table.

import { fill } from "../board/board_rendering.js";
import { drawBars } from "./bars.js";
import { FigureFormatter, MetricChoice, chooseScale } from "./metrics.js";

function getRunKind({ length, optimal }) {
  if (length === null) return "none";
  return optimal ? "optimal" : "longer";
}

export class BarCharts {
  constructor(root, texts) {
    this.texts = texts;
    this.formatter = new FigureFormatter(texts);
    this.choices = [...root.querySelectorAll("[data-chart]")].map((panel) => new MetricChoice(panel, texts, () => this.#draw()));
    this.runs = [];
  }

  /** Draw the runs that have ended so far. */
  show(view, order) {
    this.runs = order.map((key) => view.runs.find((run) => run.method === key)).filter((run) => run?.generated !== null);
    this.#draw();
  }

  #draw() {
    const charts = this.choices.map((choice) => {
      const bars = this.runs.map((run) => ({ title: this.texts.methods[run.method], value: run[choice.metric], kind: getRunKind(run) }));
      // An empty chart stays visible, because it contains the selection of the metric.
      choice.panel.hidden = this.runs.length === 0;
      return { choice, bars };
    });
    // The widths are known only once all charts are visible.
    for (const { choice, bars } of charts) if (!choice.panel.hidden) this.#drawChart(choice, bars);
  }

  #drawChart(choice, bars) {
    const { metric, name, panel } = choice;
    const format = (value) => this.formatter.format(metric, value);
    const measured = bars.filter(({ value }) => value !== null).sort((a, b) => a.value - b.value);
    const scale = chooseScale(metric, measured.length ? measured.map(({ value }) => value) : [1]);
    choice.show(name, scale);
    drawBars(panel.querySelector("svg.bars"), bars, scale, format);
    const [first, last] = [measured[0], measured.at(-1)];
    panel.querySelector('[data-part="chart-description"]').textContent = measured.length === 0 ? "" : fill(this.texts.extremes, {
      title: name,
      min: format(first.value),
      first: first.title,
      max: format(last.value),
      last: last.title,
    });
  }
}
