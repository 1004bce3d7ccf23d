// The chart of a sweep: a metric over depth, one dot per run, and a line per method through the medians.

import { fill } from "../board/board_rendering.js";
import { draw, measureChart } from "../job/chart.js";
import { FigureFormatter, MetricChoice, chooseScale } from "./metrics.js";
import { makeLinearScale } from "./scale.js";

const MARGIN = { top: 12, right: 12, bottom: 44, left: 58 };
const COLOUR_COUNT = 10;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Group the runs by method with their medians by depth, for boards whose optimal length is proven. */
function makeSeries(view, metric) {
  return view.methods.map((method, index) => {
    const dots = view.runs
      .filter((run) => run.method === method && run[metric] !== null && run.optimal_length !== null)
      .map((run) => ({ depth: run.optimal_length, value: run[metric], solved: run.length !== null }));
    const byDepth = Map.groupBy(dots, ({ depth }) => depth);
    const line = [...byDepth].map(([depth, group]) => [depth, median(group.map(({ value }) => value))]);
    return { method, index, dots, line: line.sort(([a], [b]) => a - b) };
  });
}

export class SweepChart {
  constructor(root, texts) {
    this.root = root;
    this.texts = texts;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.svg = root.querySelector("svg.sweep");
    this.hidden = new Set();
    this.numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
    this.formatter = new FigureFormatter(texts);
    this.choice = new MetricChoice(root.querySelector('[data-chart="sweep"]'), texts, () => this.show(this.view));
  }

  show(view) {
    this.view = view;
    this.series = makeSeries(view, this.choice.metric);
    if (!this.part("series").childElementCount) this.#makeLegend();
    this.#draw();
    this.#describeChart();
  }

  #makeLegend() {
    for (const { method, index } of this.series) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `series series-${index % COLOUR_COUNT}`;
      button.setAttribute("aria-pressed", "true");
      button.append(document.createElement("i"), this.texts.methods[method]);
      button.addEventListener("click", () => {
        const isShown = this.hidden.delete(method);
        if (!isShown) this.hidden.add(method);
        button.setAttribute("aria-pressed", String(isShown));
        this.#draw();
      });
      this.part("series").append(button);
    }
  }

  #draw() {
    const { svg } = this;
    const shownSeries = this.series.filter(({ method }) => !this.hidden.has(method));
    const dots = this.series.flatMap((series) => series.dots);
    const [width, height] = measureChart(svg);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    const values = chooseScale(this.choice.metric, dots.length ? dots.map(({ value }) => value) : [1]);
    this.choice.show(fill(this.texts.by_depth, { metric: this.choice.name }), values);
    if (!dots.length) return;
    const depths = makeLinearScale(dots.map(({ depth }) => depth));
    const x = (depth) => MARGIN.left + depths.fraction(depth) * (width - MARGIN.left - MARGIN.right);
    const y = (value) => height - MARGIN.bottom - values.fraction(value) * (height - MARGIN.top - MARGIN.bottom);
    for (const tick of values.ticks) {
      draw(svg, "line", { class: "chart-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(tick), y2: y(tick) });
      draw(svg, "text", { class: "chart-scale", x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, this.#formatValue(tick));
    }
    for (const tick of depths.ticks) {
      draw(svg, "line", { class: "chart-grid", x1: x(tick), x2: x(tick), y1: height - MARGIN.bottom, y2: height - MARGIN.bottom + 5 });
      draw(svg, "text", { class: "chart-scale", x: x(tick), y: height - MARGIN.bottom + 20, "text-anchor": "middle" }, this.numbers.format(tick));
    }
    draw(svg, "text", { class: "chart-scale", x: width - MARGIN.right, y: height - 6, "text-anchor": "end" }, `${this.texts.depth} →`);
    for (const { method, index, dots: methodDots } of shownSeries) {
      const group = draw(svg, "g", { class: `sweep-dots series-${index % COLOUR_COUNT}` });
      for (const { depth, value, solved } of methodDots) {
        const dot = draw(group, "circle", { class: solved ? "sweep-dot" : "sweep-dot-open", cx: x(depth), cy: y(value), r: 2.6 });
        draw(dot, "title", {}, `${this.texts.methods[method]}: ${this.numbers.format(depth)}, ${this.#formatValue(value)}`);
      }
    }
    for (const { index, line } of shownSeries) {
      const points = line.map(([depth, value]) => `${x(depth).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      const dashes = index >= COLOUR_COUNT ? { "stroke-dasharray": "6 4" } : {};
      draw(svg, "polyline", { class: `sweep-line series-${index % COLOUR_COUNT}`, points, ...dashes });
    }
  }

  #formatValue(value) {
    return this.formatter.format(this.choice.metric, value);
  }

  /** Describe the chart in words and as a table of medians. */
  #describeChart() {
    const depths = [...new Set(this.series.flatMap(({ line }) => line.map(([depth]) => depth)))].sort((a, b) => a - b);
    const table = this.part("depths");
    table.replaceChildren();
    if (!depths.length) return;
    const names = this.series.map(({ method }) => this.texts.methods[method]);
    const head = table.createTHead().insertRow();
    for (const [index, name] of [this.texts.depth, ...names].entries()) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.className = index ? "figure" : "";
      cell.textContent = name;
      head.append(cell);
    }
    const body = table.createTBody();
    const medians = this.series.map(({ line }) => new Map(line));
    for (const depth of depths) {
      const row = body.insertRow();
      const heading = row.appendChild(document.createElement("th"));
      heading.scope = "row";
      heading.textContent = this.numbers.format(depth);
      for (const byDepth of medians) {
        const cell = row.insertCell();
        cell.className = "figure";
        cell.textContent = byDepth.has(depth) ? this.#formatValue(byDepth.get(depth)) : "–";
      }
    }
    const maxDepth = depths.at(-1);
    const list = medians.flatMap((byDepth, index) => (byDepth.has(maxDepth) ? [fill(this.texts.at, { method: names[index], count: this.#formatValue(byDepth.get(maxDepth)) })] : []));
    this.part("chart-description").textContent = fill(this.texts.sweep, {
      metric: this.choice.name,
      boards: this.view.sweep.boards,
      min: this.numbers.format(depths[0]),
      max: this.numbers.format(maxDepth),
      list: list.join(", "),
    });
  }
}
