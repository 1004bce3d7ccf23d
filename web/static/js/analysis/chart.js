// The chart of the remaining moves along a game: the proven lower bound, the upper bound, and a dot for each
// lost move. A line marks the player's position; a click goes to a position.

import { draw, measureChart, makePath, roundStep } from "../job/chart.js";

const MARGIN = { top: 14, right: 12, bottom: 26, left: 40 };
const MAX_DOTS = 400;

export class GameChart {
  /**
   * @param {SVGSVGElement} svg
   * @param {(position: number) => void} onPosition
   */
  constructor(svg, onPosition) {
    this.svg = svg;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.position = 0;
    svg.addEventListener("click", (event) => {
      if (!this.result) return;
      const { left, width } = svg.getBoundingClientRect();
      const fraction = (((event.clientX - left) / width) * this.width - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right);
      onPosition(Math.round(Math.max(0, Math.min(1, fraction)) * this.result.length));
    });
  }

  /** Draw the result of an analysis. */
  show(result) {
    this.result = result;
    this.draw();
  }

  /** Mark a position; null if the player does not show the game. */
  mark(position) {
    this.position = position;
    this.cursor?.remove();
    if (!this.result || position === null) return;
    const x = this.x(position);
    this.cursor = draw(this.svg, "line", { class: "chart-cursor", x1: x, x2: x, y1: MARGIN.top, y2: this.height - MARGIN.bottom });
  }

  draw() {
    const { svg, result, numbers } = this;
    if (!result) return;
    const { lower, upper, losses, length } = result;
    [this.width, this.height] = measureChart(svg);
    svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    svg.replaceChildren();
    const max = Math.max(1, lower.reduce((a, b) => Math.max(a, b)), upper.reduce((a, b) => Math.max(a, b ?? 0), 0));
    const step = Math.max(1, roundStep(max, 4));
    const ceiling = Math.ceil(max / step) * step;
    this.x = (position) => MARGIN.left + (length ? position / length : 0) * (this.width - MARGIN.left - MARGIN.right);
    const y = (value) => this.height - MARGIN.bottom - (value / ceiling) * (this.height - MARGIN.top - MARGIN.bottom);
    for (let value = 0; value <= ceiling; value += step) {
      draw(svg, "line", { class: "chart-grid", x1: MARGIN.left, x2: this.width - MARGIN.right, y1: y(value), y2: y(value) });
      draw(svg, "text", { class: "chart-scale", x: MARGIN.left - 8, y: y(value) + 4, "text-anchor": "end" }, numbers.format(value));
    }
    const positionStep = Math.max(1, roundStep(Math.max(length, 1), 5));
    for (let position = 0; position <= length; position += positionStep) {
      draw(svg, "text", { class: "chart-scale", x: this.x(position), y: this.height - 6, "text-anchor": position ? "middle" : "start" }, numbers.format(position));
    }
    const points = lower.map((value, position) => [this.x(position), y(value)]);
    if (!result.exact && upper[0] !== null) {
      const upperPoints = upper.map((value, position) => [this.x(position), y(value)]);
      draw(svg, "path", { class: "chart-band", d: `${makePath([...upperPoints, ...[...points].reverse()])}Z` });
      draw(svg, "path", { class: "chart-upper", d: makePath(upperPoints) });
    }
    draw(svg, "path", { class: "chart-lower", d: makePath(points) });
    if (losses.length <= MAX_DOTS) {
      for (const { move } of losses) draw(svg, "circle", { class: "chart-loss", cx: this.x(move), cy: y(lower[move]), r: 3.5 });
    }
    this.mark(this.position);
  }
}

/** Draw the time of each move as a bar; the longest has the chart's full height. */
export function drawTimes(svg, times, titles) {
  const [width, height] = measureChart(svg);
  const durations = times.map((time, index) => (index ? time - times[index - 1] : 0));
  const longest = Math.max(1, durations.reduce((a, b) => Math.max(a, b), 0));
  const plotWidth = width - MARGIN.left - MARGIN.right;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  draw(svg, "text", { class: "chart-scale", x: MARGIN.left - 8, y: 12, "text-anchor": "end" }, titles.max(longest / 1000));
  draw(svg, "line", { class: "chart-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: height - 1, y2: height - 1 });
  for (const [index, time] of durations.entries()) {
    const barHeight = (time / longest) * (height - 4);
    const bar = draw(svg, "rect", { class: "chart-time", x: MARGIN.left + (index / times.length) * plotWidth, y: height - 1 - barHeight, width: Math.max(1, (plotWidth / times.length) * 0.8), height: barHeight });
    draw(bar, "title", {}, titles.move(index + 1, time / 1000));
  }
}
