// The chart of a sweep: a metric over depth, one dot per run, and a line per method through the medians.

import { fill } from "../board/board_rendering.js";
import { draw, measureChart } from "../job/chart.js";
import { FigureWriter, MetricChoice, chooseScale } from "./metrics.js";
import { linearScale } from "./scale.js";

const MARGIN = { top: 12, right: 12, bottom: 44, left: 58 };
const COLOURS = 10;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Group the runs by method with their medians by depth, for boards whose optimal length is proved. */
export function makeSeries(view, metric) {
  return view.methods.map((method, place) => {
    const dots = view.runs
      .filter((run) => run.method === method && run[metric] !== null && run.optimal_length !== null)
      .map((run) => ({ depth: run.optimal_length, value: run[metric], solved: run.length !== null }));
    const byDepth = Map.groupBy(dots, ({ depth }) => depth);
    const line = [...byDepth].map(([depth, some]) => [depth, median(some.map(({ value }) => value))]);
    return { method, place, dots, line: line.sort(([a], [b]) => a - b) };
  });
}

export class SweepChart {
  constructor(root, words) {
    this.root = root;
    this.words = words;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.svg = root.querySelector("svg.sweep");
    this.hidden = new Set();
    this.numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
    this.writer = new FigureWriter(words);
    this.choice = new MetricChoice(root.querySelector('[data-chart="sweep"]'), words, () => this.show(this.view));
  }

  show(view) {
    this.view = view;
    this.series = makeSeries(view, this.choice.metric);
    if (!this.part("series").childElementCount) this.#makeLegend();
    this.#draw();
    this.#describeChart();
  }

  #makeLegend() {
    for (const { method, place } of this.series) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `series series-${place % COLOURS}`;
      button.setAttribute("aria-pressed", "true");
      button.append(document.createElement("i"), this.words.methods[method]);
      button.addEventListener("click", () => {
        const shown = this.hidden.delete(method);
        if (!shown) this.hidden.add(method);
        button.setAttribute("aria-pressed", String(shown));
        this.#draw();
      });
      this.part("series").append(button);
    }
  }

  #draw() {
    const { svg } = this;
    const shown = this.series.filter(({ method }) => !this.hidden.has(method));
    const dots = this.series.flatMap((series) => series.dots);
    const [width, height] = measureChart(svg);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    const values = chooseScale(this.choice.metric, dots.length ? dots.map(({ value }) => value) : [1]);
    this.choice.show(fill(this.words.by_depth, { metric: this.choice.name }), values);
    if (!dots.length) return;
    const depths = linearScale(dots.map(({ depth }) => depth));
    const x = (depth) => MARGIN.left + depths.share(depth) * (width - MARGIN.left - MARGIN.right);
    const y = (value) => height - MARGIN.bottom - values.share(value) * (height - MARGIN.top - MARGIN.bottom);
    for (const tick of values.ticks) {
      draw(svg, "line", { class: "chart-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(tick), y2: y(tick) });
      draw(svg, "text", { class: "chart-scale", x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, this.#write(tick));
    }
    for (const tick of depths.ticks) {
      draw(svg, "line", { class: "chart-grid", x1: x(tick), x2: x(tick), y1: height - MARGIN.bottom, y2: height - MARGIN.bottom + 5 });
      draw(svg, "text", { class: "chart-scale", x: x(tick), y: height - MARGIN.bottom + 20, "text-anchor": "middle" }, this.numbers.format(tick));
    }
    draw(svg, "text", { class: "chart-scale", x: width - MARGIN.right, y: height - 6, "text-anchor": "end" }, `${this.words.depth} →`);
    for (const { method, place, dots: own } of shown) {
      const group = draw(svg, "g", { class: `sweep-dots series-${place % COLOURS}` });
      for (const { depth, value, solved } of own) {
        const dot = draw(group, "circle", { class: solved ? "sweep-dot" : "sweep-dot-open", cx: x(depth), cy: y(value), r: 2.6 });
        draw(dot, "title", {}, `${this.words.methods[method]}: ${this.numbers.format(depth)}, ${this.#write(value)}`);
      }
    }
    for (const { place, line } of shown) {
      const points = line.map(([depth, value]) => `${x(depth).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      const dashes = place >= COLOURS ? { "stroke-dasharray": "6 4" } : {};
      draw(svg, "polyline", { class: `sweep-line series-${place % COLOURS}`, points, ...dashes });
    }
  }

  #write(value) {
    return this.writer.write(this.choice.metric, value);
  }

  /** Describe the chart in words and as a table of medians. */
  #describeChart() {
    const depths = [...new Set(this.series.flatMap(({ line }) => line.map(([depth]) => depth)))].sort((a, b) => a - b);
    const table = this.part("depths");
    table.replaceChildren();
    if (!depths.length) return;
    const names = this.series.map(({ method }) => this.words.methods[method]);
    const head = table.createTHead().insertRow();
    for (const [place, name] of [this.words.depth, ...names].entries()) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.className = place ? "figure" : "";
      cell.textContent = name;
      head.append(cell);
    }
    const body = table.createTBody();
    const found = this.series.map(({ line }) => new Map(line));
    for (const depth of depths) {
      const row = body.insertRow();
      const first = row.appendChild(document.createElement("th"));
      first.scope = "row";
      first.textContent = this.numbers.format(depth);
      for (const counts of found) {
        const cell = row.insertCell();
        cell.className = "figure";
        cell.textContent = counts.has(depth) ? this.#write(counts.get(depth)) : "–";
      }
    }
    const most = depths.at(-1);
    const list = found.flatMap((counts, place) => (counts.has(most) ? [fill(this.words.at, { method: names[place], count: this.#write(counts.get(most)) })] : []));
    this.part("chart-words").textContent = fill(this.words.sweep, {
      metric: this.choice.name,
      boards: this.view.sweep.boards,
      min: this.numbers.format(depths[0]),
      max: this.numbers.format(most),
      list: list.join(", "),
    });
  }
}
