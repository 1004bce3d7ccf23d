// The chart of the frontier's size at each step, with the position of the clock. Steps that are not
// recorded take no space: a dashed line marks a gap.

import { draw, measureChart, roundStep } from "../job/chart.js";

const MARGIN = { top: 12, right: 4, bottom: 6, left: 40 };
const LONG_NUMBER = 10000;

export class FrontierChart {
  /**
   * @param {SVGSVGElement} svg
   * @param {import("./search_tree.js").SearchTree} tree
   * @param {(position: number) => void} onSeek called with the clicked position
   */
  constructor(svg, tree, numbers, onSeek) {
    this.svg = svg;
    this.tree = tree;
    this.numbers = numbers;
    this.position = 0;
    svg.addEventListener("pointerdown", (event) => {
      const fraction = (event.clientX - svg.getBoundingClientRect().left - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right);
      onSeek(Math.max(1, Math.min(tree.steps.length, Math.round(fraction * tree.steps.length))));
    });
    new ResizeObserver(() => svg.clientWidth !== this.width && this.#draw()).observe(svg);
    this.#draw();
  }

  #draw() {
    const { svg, tree, numbers } = this;
    this.width = svg.clientWidth;
    const [width, height] = measureChart(svg);
    const bottom = height - MARGIN.bottom;
    const sizes = tree.steps.map(({ frontier_size: size }) => size);
    const max = Math.max(1, ...sizes);
    const step = Math.max(1, roundStep(max, 2));
    const ceiling = Math.ceil(max / step) * step;
    this.computeX = (position) => MARGIN.left + (position / Math.max(1, sizes.length)) * (width - MARGIN.left - MARGIN.right);
    const y = (size) => bottom - (size / ceiling) * (bottom - MARGIN.top);
    const scale = ceiling < LONG_NUMBER ? numbers : new Intl.NumberFormat(numbers.resolvedOptions().locale, { notation: "compact" });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    for (let value = 0; value <= ceiling; value += step) {
      draw(svg, "line", { class: "chart-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) });
      draw(svg, "text", { class: "chart-scale", x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, scale.format(value));
    }
    let line = "";
    tree.steps.forEach(({ number }, index) => {
      const hasGap = index > 0 && number > tree.steps[index - 1].number + 1;
      if (hasGap) draw(svg, "line", { class: "frontier-gap", x1: this.computeX(index + 0.5), x2: this.computeX(index + 0.5), y1: MARGIN.top - 6, y2: bottom });
      line += `${index === 0 || hasGap ? "M" : "L"}${this.computeX(index + 1).toFixed(1)} ${y(sizes[index]).toFixed(1)}`;
    });
    draw(svg, "path", { class: "chart-lower", d: line });
    this.cursor = draw(svg, "line", { class: "frontier-cursor", y1: MARGIN.top - 6, y2: bottom });
    this.dot = draw(svg, "circle", { class: "frontier-dot", r: 4 });
    this.computeY = y;
    this.show(this.position);
  }

  show(position) {
    this.position = position;
    const x = this.computeX(position);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", this.computeY(position === 0 ? 1 : this.tree.steps[position - 1].frontier_size));
  }
}
