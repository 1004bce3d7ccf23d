// The bar charts of a comparison on one board, in the order of the table.

import { draw, drawGrid, measureChart, RIGHT } from "../job/chart.js";
import { formatRoundedFigure, MetricChoice, chooseScale, makeLinearScale } from "./metrics.js";
import { gettext } from "../texts.js";
import { formatNumber } from "../numbers.js";
import { make, makeRow } from "../elements.js";

// A bar chart with one bar per method and its name above it. A log scale has no zero, so it has dots
// instead of bars. It uses attributes and classes only.

const MIN_WIDTH = 240;
const ROW = 36;
const BAR = 11;
const DOT = 5.5;
const BAR_MARGIN = { top: 4, right: 8, bottom: 24 };
const MIN_LENGTH = 2;
const DIGIT_WIDTH = 7; // approximate width of a digit in pixels
const MIN_TICK_GAP = 10; // between two numbers on the axis

/**
 * @param {SVGSVGElement} svg its content is replaced
 * @param {{title: string, value: number | null, kind: string}[]} bars in the order of the table
 * @param {{log: boolean, ticks: number[], fraction: (value: number) => number}} scale
 * @param {(value: number) => string} format
 */
function drawBars(svg, bars, scale, format) {
  const width = Math.max(MIN_WIDTH, svg.clientWidth);
  const height = BAR_MARGIN.top + bars.length * ROW + BAR_MARGIN.bottom;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  svg.replaceChildren();
  const longest = Math.max(...bars.map(({ value }) => (value === null ? 1 : format(value).length)));
  const left = scale.log ? DOT + 1 : 0;
  const plotWidth = width - BAR_MARGIN.right - left - longest * DIGIT_WIDTH - 8;
  const x = (value) => left + scale.fraction(value) * plotWidth;

  let nextFreeX = 0;
  for (const tick of scale.ticks) {
    draw(svg, "line", { class: "chart-grid", x1: x(tick), x2: x(tick), y1: BAR_MARGIN.top, y2: height - BAR_MARGIN.bottom });
    const labelWidth = format(tick).length * DIGIT_WIDTH;
    const isAtStart = x(tick) < labelWidth / 2;
    const labelX = isAtStart ? x(tick) : x(tick) - labelWidth / 2;
    if (labelX < nextFreeX) continue;
    nextFreeX = labelX + labelWidth + MIN_TICK_GAP;
    draw(svg, "text", { class: "chart-scale", x: x(tick), y: height - 6, "text-anchor": isAtStart ? "start" : "middle" }, format(tick));
  }
  bars.forEach(({ title, value, kind }, index) => {
    const top = BAR_MARGIN.top + index * ROW;
    draw(svg, "text", { class: "bars-name", x: 0, y: top + 13 }, title);
    const length = value === null ? 0 : Math.max(MIN_LENGTH, x(value));
    if (scale.log) drawDot(svg, kind, value === null ? null : x(value), top + 18 + BAR / 2, width - BAR_MARGIN.right);
    else if (value !== null) draw(svg, "rect", { class: `bars-${kind}`, x: 0, y: top + 18, width: length, height: BAR, rx: 2 });
    const end = scale.log && value !== null ? length + DOT : length;
    draw(svg, "text", { class: "bars-value", x: end + 6, y: top + 28 }, value === null ? "–" : format(value));
  });
}

/** Draw a dot on a line across the chart. */
function drawDot(svg, kind, x, y, end) {
  draw(svg, "line", { class: "bars-track", x1: 0, x2: end, y1: y, y2: y });
  if (x !== null) draw(svg, "circle", { class: `bars-${kind}`, cx: x, cy: y, r: DOT });
}

function getRunKind({ length, optimal }) {
  if (length === null) return "none";
  return optimal ? "optimal" : "longer";
}

export class BarCharts {
  constructor(root) {
    this.choices = [...root.querySelectorAll("[data-chart]")].map((panel) => new MetricChoice(panel, () => this.#draw()));
    this.runs = [];
  }

  /** Draw the runs that have ended so far. */
  show(view, order) {
    this.runs = order.map((key) => view.runs.find((run) => run.method === key)).filter((run) => run?.generated !== null);
    this.#draw();
  }

  #draw() {
    const charts = this.choices.map((choice) => {
      const bars = this.runs.map((run) => ({ title: run.title, value: run[choice.metric], kind: getRunKind(run) }));
      // An empty chart stays visible, because it contains the selection of the metric.
      choice.panel.hidden = this.runs.length === 0;
      return { choice, bars };
    });
    // The widths are known only once all charts are visible.
    for (const { choice, bars } of charts) if (!choice.panel.hidden) this.#drawChart(choice, bars);
  }

  #drawChart(choice, bars) {
    const { metric, name, panel } = choice;
    const format = (value) => formatRoundedFigure(metric, value);
    const measured = bars.filter(({ value }) => value !== null).sort((a, b) => a.value - b.value);
    const scale = chooseScale(metric, measured.length ? measured.map(({ value }) => value) : [1]);
    choice.show(name, scale);
    drawBars(panel.querySelector("svg.bars"), bars, scale, format);
    const [first, last] = [measured[0], measured.at(-1)];
    panel.querySelector('[data-part="chart-description"]').textContent = measured.length === 0 ? "" : gettext("{title}: from {min} ({first}) to {max} ({last}).", {
      title: name,
      min: format(first.value),
      first: first.title,
      max: format(last.value),
      last: last.title,
    });
  }
}

// The chart of a sweep: a metric over depth, one dot per run, and a line per method through the medians.

const SWEEP_MARGIN = { top: 12, right: RIGHT, bottom: 44, left: 58 };
const COLOUR_COUNT = 10;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Group the runs by method with their medians by depth, for boards whose optimal length is proven. */
function makeSeries(view, metric) {
  return view.methods.map((method, index) => {
    const runs = view.runs.filter((run) => run.method === method);
    const dots = runs
      .filter((run) => run[metric] !== null && run.optimal_length !== null)
      .map((run) => ({ depth: run.optimal_length, value: run[metric], solved: run.length !== null }));
    const byDepth = Map.groupBy(dots, ({ depth }) => depth);
    const line = [...byDepth].map(([depth, group]) => [depth, median(group.map(({ value }) => value))]);
    return { method, title: runs[0].title, index, dots, line: line.sort(([a], [b]) => a - b) };
  });
}

export class SweepChart {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.svg = root.querySelector("svg.sweep");
    this.hidden = new Set();
    this.choice = new MetricChoice(root.querySelector('[data-chart="sweep"]'), () => this.show(this.view));
  }

  show(view) {
    this.view = view;
    this.series = makeSeries(view, this.choice.metric);
    if (!this.part("series").childElementCount) this.#makeLegend();
    this.#draw();
    this.#describeChart();
  }

  #makeLegend() {
    for (const { method, title, index } of this.series) {
      const button = make("button", { type: "button", className: `series series-${index % COLOUR_COUNT}`, ariaPressed: "true" }, make("i"), title);
      button.addEventListener("click", () => {
        const isShown = this.hidden.delete(method);
        if (!isShown) this.hidden.add(method);
        button.ariaPressed = isShown;
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
    this.choice.show(gettext("{metric} by depth", { metric: this.choice.name }), values);
    if (!dots.length) return;
    const depths = makeLinearScale(dots.map(({ depth }) => depth));
    const x = (depth) => SWEEP_MARGIN.left + depths.fraction(depth) * (width - SWEEP_MARGIN.left - SWEEP_MARGIN.right);
    const y = (value) => height - SWEEP_MARGIN.bottom - values.fraction(value) * (height - SWEEP_MARGIN.top - SWEEP_MARGIN.bottom);
    drawGrid(svg, values.ticks, SWEEP_MARGIN.left, y, (tick) => this.#formatValue(tick));
    for (const tick of depths.ticks) {
      draw(svg, "line", { class: "chart-grid", x1: x(tick), x2: x(tick), y1: height - SWEEP_MARGIN.bottom, y2: height - SWEEP_MARGIN.bottom + 5 });
      draw(svg, "text", { class: "chart-scale", x: x(tick), y: height - SWEEP_MARGIN.bottom + 20, "text-anchor": "middle" }, formatNumber(tick));
    }
    draw(svg, "text", { class: "chart-scale", x: width - SWEEP_MARGIN.right, y: height - 6, "text-anchor": "end" }, `${gettext("Optimal length")} →`);
    for (const { title, index, dots: methodDots } of shownSeries) {
      const group = draw(svg, "g", { class: `sweep-dots series-${index % COLOUR_COUNT}` });
      for (const { depth, value, solved } of methodDots) {
        const dot = draw(group, "circle", { class: solved ? "sweep-dot" : "sweep-dot-open", cx: x(depth), cy: y(value), r: 2.6 });
        draw(dot, "title", {}, `${title}: ${formatNumber(depth)}, ${this.#formatValue(value)}`);
      }
    }
    for (const { index, line } of shownSeries) {
      const points = line.map(([depth, value]) => `${x(depth).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      const dashes = index >= COLOUR_COUNT ? { "stroke-dasharray": "6 4" } : {};
      draw(svg, "polyline", { class: `sweep-line series-${index % COLOUR_COUNT}`, points, ...dashes });
    }
  }

  #formatValue(value) {
    return formatRoundedFigure(this.choice.metric, value);
  }

  /** Describe the chart in words and as a table of medians. */
  #describeChart() {
    const depths = [...new Set(this.series.flatMap(({ line }) => line.map(([depth]) => depth)))].sort((a, b) => a - b);
    const table = this.part("depths");
    table.replaceChildren();
    if (!depths.length) return;
    const names = this.series.map(({ title }) => title);
    const headings = [gettext("Optimal length"), ...names].map((name, index) => make("th", { scope: "col", className: index ? "figure" : "" }, name));
    table.createTHead().insertRow().append(...headings);
    const medians = this.series.map(({ line }) => new Map(line));
    const format = (byDepth, depth) => (byDepth.has(depth) ? this.#formatValue(byDepth.get(depth)) : "–");
    table.createTBody().append(...depths.map((depth) => makeRow(formatNumber(depth), medians.map((byDepth) => format(byDepth, depth)))));
    const maxDepth = depths.at(-1);
    const list = medians.flatMap((byDepth, index) => (byDepth.has(maxDepth) ? [gettext("{method} {count}", { method: names[index], count: this.#formatValue(byDepth.get(maxDepth)) })] : []));
    this.part("chart-description").textContent = gettext("{metric}: {boards} boards of {min} to {max} moves; medians at {max} moves: {list}.", {
      metric: this.choice.name,
      boards: this.view.sweep.boards,
      min: formatNumber(depths[0]),
      max: formatNumber(maxDepth),
      list: list.join(", "),
    });
  }
}
