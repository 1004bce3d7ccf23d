// A bar chart with one bar per method and its name above it. A log scale has no zero, so it has dots
// instead of bars. It uses attributes and classes only.

import { draw } from "../job/chart.js";

const MIN_WIDTH = 240;
const ROW = 36;
const BAR = 11;
const DOT = 5.5;
const MARGIN = { top: 4, right: 8, bottom: 24 };
const MIN_LENGTH = 2;
const DIGIT_WIDTH = 7; // approximate width of a digit in pixels
const MIN_TICK_GAP = 10; // between two numbers on the axis

/**
 * @param {SVGSVGElement} svg its content is replaced
 * @param {{title: string, value: number | null, kind: string}[]} bars in the order of the table
 * @param {{log: boolean, ticks: number[], fraction: (value: number) => number}} scale
 * @param {(value: number) => string} format
 */
export function drawBars(svg, bars, scale, format) {
  const width = Math.max(MIN_WIDTH, svg.clientWidth);
  const height = MARGIN.top + bars.length * ROW + MARGIN.bottom;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  svg.replaceChildren();
  const longest = Math.max(...bars.map(({ value }) => (value === null ? 1 : format(value).length)));
  const left = scale.log ? DOT + 1 : 0;
  const plotWidth = width - MARGIN.right - left - longest * DIGIT_WIDTH - 8;
  const x = (value) => left + scale.fraction(value) * plotWidth;

  let nextFreeX = 0;
  for (const tick of scale.ticks) {
    draw(svg, "line", { class: "chart-grid", x1: x(tick), x2: x(tick), y1: MARGIN.top, y2: height - MARGIN.bottom });
    const labelWidth = format(tick).length * DIGIT_WIDTH;
    const isAtStart = x(tick) < labelWidth / 2;
    const labelX = isAtStart ? x(tick) : x(tick) - labelWidth / 2;
    if (labelX < nextFreeX) continue;
    nextFreeX = labelX + labelWidth + MIN_TICK_GAP;
    draw(svg, "text", { class: "chart-scale", x: x(tick), y: height - 6, "text-anchor": isAtStart ? "start" : "middle" }, format(tick));
  }
  bars.forEach(({ title, value, kind }, index) => {
    const top = MARGIN.top + index * ROW;
    draw(svg, "text", { class: "bars-name", x: 0, y: top + 13 }, title);
    const length = value === null ? 0 : Math.max(MIN_LENGTH, x(value));
    if (scale.log) drawDot(svg, kind, value === null ? null : x(value), top + 18 + BAR / 2, width - MARGIN.right);
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
