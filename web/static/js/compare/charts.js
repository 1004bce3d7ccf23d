// The charts of a comparison on one board: figures out of the API, in the order of the table.

import { fill } from "../board/make_board.js";
import { drawBars } from "./bars.js";
import { fittingScale, logScale } from "./scale.js";

const ALWAYS_LOG = new Set(["generated", "max_frontier"]);

/** How times are written: three digits, in milliseconds below a second. */
function timeWriter(words, numbers) {
  return (seconds) => {
    const short = seconds < 1;
    return fill(short ? words.milliseconds : words.seconds, { count: numbers.format(short ? seconds * 1000 : seconds) });
  };
}

function kindOf({ length, optimal }) {
  if (length === null) return "none";
  return optimal ? "optimal" : "longer";
}

export class BarCharts {
  constructor(root, words) {
    this.root = root;
    this.words = words;
    const language = document.documentElement.lang;
    const short = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 });
    const time = timeWriter(words, new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }));
    this.write = (name) => (name === "seconds" ? time : (value) => short.format(value));
  }

  /** Draw what has ended so far. */
  show(view, order) {
    const runs = order.map((key) => view.runs.find((run) => run.method === key)).filter((run) => run?.generated !== null);
    const charts = [...this.root.querySelectorAll("[data-chart]")].map((panel) => {
      const name = panel.dataset.chart;
      const bars = runs.map((run) => ({ title: this.words.methods[run.method], value: run[name], kind: kindOf(run) }));
      panel.hidden = !bars.some(({ value }) => value > 0);
      return { panel, name, bars };
    });
    // Only where all have their place is it known how wide each is.
    for (const { panel, name, bars } of charts) if (!panel.hidden) this.#draw(panel, name, bars);
  }

  #draw(panel, name, bars) {
    const values = bars.map(({ value }) => value).filter((value) => value > 0);
    const write = this.write(name);
    const title = panel.querySelector("h3").firstChild.textContent.trim();
    const scale = ALWAYS_LOG.has(name) ? logScale(values) : fittingScale(values);
    panel.querySelector('[data-part="log"]').hidden = !scale.log;
    drawBars(panel.querySelector("svg.bars"), bars, scale, write);
    const known = bars.filter(({ value }) => value !== null).sort((a, b) => a.value - b.value);
    const [first, last] = [known[0], known.at(-1)];
    panel.querySelector('[data-part="chart-words"]').textContent = fill(this.words.extremes, {
      title,
      least: write(first.value),
      first: first.title,
      most: write(last.value),
      last: last.title,
    });
  }
}
