// What remains along a game as one SVG: the proved bound, what is known above it, and a dot for each
// lost move. A line marks the position that the player shows; a click goes to a position.

import { draw, extentOf, path, roundStep } from "../job/chart.js";

const EDGE = { top: 14, right: 12, bottom: 26, left: 40 };
const MOST_DOTS = 400;

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
      const share = (((event.clientX - left) / width) * this.width - EDGE.left) / (this.width - EDGE.left - EDGE.right);
      onPosition(Math.round(Math.max(0, Math.min(1, share)) * this.result.length));
    });
  }

  /** Draw a result. */
  show(result) {
    this.result = result;
    this.draw();
  }

  /** Mark a position; null where what the player shows is not of the game. */
  mark(position) {
    this.position = position;
    this.cursor?.remove();
    if (!this.result || position === null) return;
    const x = this.x(position);
    this.cursor = draw(this.svg, "line", { class: "chart-cursor", x1: x, x2: x, y1: EDGE.top, y2: this.height - EDGE.bottom });
  }

  draw() {
    const { svg, result, numbers } = this;
    if (!result) return;
    const { lower, upper, losses, length } = result;
    [this.width, this.height] = extentOf(svg);
    svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    svg.replaceChildren();
    const most = Math.max(1, lower.reduce((a, b) => Math.max(a, b)), upper.reduce((a, b) => Math.max(a, b ?? 0), 0));
    const step = Math.max(1, roundStep(most, 4));
    const ceiling = Math.ceil(most / step) * step;
    this.x = (position) => EDGE.left + (length ? position / length : 0) * (this.width - EDGE.left - EDGE.right);
    const y = (value) => this.height - EDGE.bottom - (value / ceiling) * (this.height - EDGE.top - EDGE.bottom);
    for (let value = 0; value <= ceiling; value += step) {
      draw(svg, "line", { class: "chart-grid", x1: EDGE.left, x2: this.width - EDGE.right, y1: y(value), y2: y(value) });
      draw(svg, "text", { class: "chart-scale", x: EDGE.left - 8, y: y(value) + 4, "text-anchor": "end" }, numbers.format(value));
    }
    const along = Math.max(1, roundStep(Math.max(length, 1), 5));
    for (let position = 0; position <= length; position += along) {
      draw(svg, "text", { class: "chart-scale", x: this.x(position), y: this.height - 6, "text-anchor": position ? "middle" : "start" }, numbers.format(position));
    }
    const points = lower.map((value, position) => [this.x(position), y(value)]);
    if (!result.exact && upper[0] !== null) {
      const over = upper.map((value, position) => [this.x(position), y(value)]);
      draw(svg, "path", { class: "chart-band", d: `${path([...over, ...[...points].reverse()])}Z` });
      draw(svg, "path", { class: "chart-upper", d: path(over) });
    }
    draw(svg, "path", { class: "chart-lower", d: path(points) });
    if (losses.length <= MOST_DOTS) {
      for (const { move } of losses) draw(svg, "circle", { class: "chart-loss", cx: this.x(move), cy: y(lower[move]), r: 3.5 });
    }
    this.mark(this.position);
  }
}

/** Draw how long each move took as bars, the longest as high as the chart. */
export function drawTimes(svg, times, titles) {
  const [width, height] = extentOf(svg);
  const took = times.map((time, place) => (place ? time - times[place - 1] : 0));
  const most = Math.max(1, took.reduce((a, b) => Math.max(a, b), 0));
  const room = width - EDGE.left - EDGE.right;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  draw(svg, "text", { class: "chart-scale", x: EDGE.left - 8, y: 12, "text-anchor": "end" }, titles.most(most / 1000));
  draw(svg, "line", { class: "chart-grid", x1: EDGE.left, x2: width - EDGE.right, y1: height - 1, y2: height - 1 });
  for (const [place, time] of took.entries()) {
    const tall = (time / most) * (height - 4);
    const bar = draw(svg, "rect", { class: "chart-time", x: EDGE.left + (place / times.length) * room, y: height - 1 - tall, width: Math.max(1, (room / times.length) * 0.8), height: tall });
    draw(bar, "title", {}, titles.move(place + 1, time / 1000));
  }
}
