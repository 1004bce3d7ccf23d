// The chart of the lower and upper bounds over time: two step lines in an SVG with the area between them
// filled. It uses attributes and classes only, because the content security policy forbids inline styles.

import { formatNumber } from "../numbers.js";
import { formatTick } from "./formats.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const MIN_WIDTH = 240;
const MIN_HEIGHT = 48; // an SVG without layout has no height
export const RIGHT = 10; // the margin on the right of all charts
const MARGIN = { top: 20, right: RIGHT, bottom: 26 };
const FIRST_PART = 0.06; // solutions improved within this fraction of the time are not drawn

/** Return the width and height of a chart. */
export function measureChart(svg) {
  return [Math.max(MIN_WIDTH, svg.clientWidth), Math.max(MIN_HEIGHT, svg.clientHeight)];
}

/** Append an SVG element. */
export function draw(parent, name, attributes, text) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** Return a round step (1, 2 or 5 times a power of ten) that gives about `count` lines. */
export function roundStep(span, count) {
  const minimum = Math.max(span, 1e-9) / count;
  const power = 10 ** Math.floor(Math.log10(minimum));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= minimum);
}

/** Return a linear scale of counts from zero to a maximum, in about `lines` whole steps. */
export function makeCountScale(max, lines) {
  const step = Math.max(1, roundStep(Math.max(max, 1), lines));
  const count = Math.ceil(Math.max(max, 1) / step);
  return { ticks: Array.from({ length: count + 1 }, (_, index) => index * step), fraction: (value) => value / (count * step) };
}

const TIME_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400, 172800];
const MAX_TIMES = 4;

/** Return round times from 0 to the end. */
function roundTimes(end) {
  const step = TIME_STEPS.find((candidate) => candidate * MAX_TIMES >= end) ?? TIME_STEPS.at(-1);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => Math.round(index * step * 100) / 100);
}

/** Return the space that labels of an axis need. */
export const measureLabels = (labels) => 16 + 7 * Math.max(...labels.map(({ length }) => length));

/** Empty a chart, and draw its horizontal lines with their values. */
export function drawGrid(svg, values, left, y, format = formatNumber) {
  const [width, height] = measureChart(svg);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const value of values) {
    draw(svg, "line", { class: "chart-grid", x1: left, x2: width - MARGIN.right, y1: y(value), y2: y(value) });
    draw(svg, "text", { class: "chart-scale", x: left - 8, y: y(value) + 4, "text-anchor": "end" }, format(value));
  }
}

/** Return the points of a step line: a bound stays the same until the next event improves it. */
export function makeStepLine(events, key, x, y, end) {
  const points = [];
  let last = null;
  for (const event of events) {
    const value = event[key];
    if (value === null || value === undefined) continue;
    if (last !== null) points.push([x(event.time), y(last)]);
    points.push([x(event.time), y(value)]);
    last = value;
  }
  if (last !== null) points.push([x(end), y(last)]);
  return points;
}

/** Return the path data of a line through points. */
export const makePath = (points) => points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** Mark the solutions on their line, with the time, the length and the method of each. */
export function markSolutions(svg, events, x, y) {
  for (const { time, upper, method, title } of events) {
    if (!method) continue;
    const dot = draw(svg, "circle", { class: `method-mark method-mark-${method}`, cx: x(time), cy: y(upper), r: 3.5 });
    draw(dot, "title", {}, title);
  }
}

/**
 * @param {SVGSVGElement} svg its content is replaced
 * @param {{time: number, lower: number, upper: number | null}[]} events seconds since the start, ascending
 * @param {number} end seconds until which the last bounds are drawn
 */
export function drawBoundsChart(svg, events, end) {
  const last = Math.max(end, events.at(-1).time, 1e-3);
  const firstShown = events.find((_, index) => (events[index + 1]?.time ?? last) >= last * FIRST_PART).upper;
  const firstIndex = events.findIndex(({ upper }) => upper === firstShown);
  const shownEvents = events.slice(firstIndex);
  const values = [...events.map(({ lower }) => lower), ...shownEvents.map(({ upper }) => upper)].filter((value) => value !== null && value !== undefined);
  const [width, height] = measureChart(svg);
  const min = Math.min(...values);
  const max = Math.max(...values);
  const step = Math.max(1, roundStep(Math.max(max - min, 2), 4));
  const floor = Math.max(0, Math.floor(min / step) * step);
  const ceiling = Math.max(floor + step, Math.ceil(max / step) * step);
  const lines = Array.from({ length: Math.round((ceiling - floor) / step) + 1 }, (_, index) => floor + index * step);
  const left = measureLabels(lines.map((value) => formatNumber(value)));
  const x = (time) => left + (time / last) * (width - left - MARGIN.right);
  const y = (value) => height - MARGIN.bottom - ((value - floor) / (ceiling - floor)) * (height - MARGIN.top - MARGIN.bottom);

  drawGrid(svg, lines, left, y);
  for (const time of roundTimes(last)) {
    const anchor = time === 0 ? "start" : time > 0.95 * last ? "end" : "middle";
    draw(svg, "text", { class: "chart-scale", x: x(time), y: height - 6, "text-anchor": anchor }, formatTick(time));
  }
  const lower = makeStepLine(events, "lower", x, y, last);
  const upper = makeStepLine(shownEvents, "upper", x, y, last);
  if (events.slice(0, firstIndex).some((event) => event.upper !== null)) upper.unshift([upper[0][0], 0]);
  if (upper.length) {
    const from = upper[0][0];
    const lowerEdge = [[from, findLower(lower, from)], ...lower.filter(([x]) => x > from)];
    draw(svg, "path", { class: "chart-band", d: `${makePath([...upper, ...lowerEdge.reverse()])}Z` });
    draw(svg, "path", { class: "chart-upper", d: makePath(upper) });
  }
  draw(svg, "path", { class: "chart-lower", d: makePath(lower) });
  markSolutions(svg, shownEvents, x, y);
  mark(svg, "lower", lower, events.findLast((event) => event.lower !== null)?.lower, upper);
  mark(svg, "upper", upper, events.findLast((event) => event.upper !== null)?.upper, lower);
}

function findLower(points, position) {
  return (points.findLast(([x]) => x <= position) ?? points[0])[1];
}

/** Draw a dot and the value at the end of a line, on the side away from the other line; equal bounds share one label. */
function mark(svg, name, points, value, others) {
  if (!points.length) return;
  const [x, y] = points.at(-1);
  draw(svg, "circle", { class: `chart-dot chart-dot-${name}`, cx: x, cy: y, r: 4 });
  const isProven = others.length > 0 && Math.abs(y - others.at(-1)[1]) < 1;
  if (name === "upper" && isProven) return;
  const nearAxis = y + 19 > svg.viewBox.baseVal.height - MARGIN.bottom;
  const above = name === "upper" || others.length === 0 || isProven || nearAxis;
  draw(svg, "text", { class: `chart-value chart-value-${name}`, x, y: above ? y - 9 : y + 19, "text-anchor": "end" }, formatNumber(value));
}
