// The chart of the frontier's size at each step, with the position of the clock. Steps that are not
// recorded take no space: a dashed line marks a gap.

import { draw, measureChart, roundStep } from "../job/chart.js";

const MARGIN = { top: 12, right: 4, bottom: 6, left: 40 };
const LONG_NUMBER = 10000;

export class FrontierChart {
  /**
   * @param {SVGSVGElement} svg
   * @param {import("./search_tree.js").SearchTree} tree
   * @param {(place: number) => void} onSeek called with the clicked place
   */
  constructor(svg, tree, numbers, onSeek) {
    this.svg = svg;
    this.tree = tree;
    this.numbers = numbers;
    this.place = 0;
    svg.addEventListener("pointerdown", (event) => {
      const share = (event.clientX - svg.getBoundingClientRect().left - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right);
      onSeek(Math.max(1, Math.min(tree.steps.length, Math.round(share * tree.steps.length))));
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
    const most = Math.max(1, ...sizes);
    const step = Math.max(1, roundStep(most, 2));
    const ceiling = Math.ceil(most / step) * step;
    this.x = (place) => MARGIN.left + (place / Math.max(1, sizes.length)) * (width - MARGIN.left - MARGIN.right);
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
      const skips = index > 0 && number > tree.steps[index - 1].number + 1;
      if (skips) draw(svg, "line", { class: "frontier-gap", x1: this.x(index + 0.5), x2: this.x(index + 0.5), y1: MARGIN.top - 6, y2: bottom });
      line += `${index === 0 || skips ? "M" : "L"}${this.x(index + 1).toFixed(1)} ${y(sizes[index]).toFixed(1)}`;
    });
    draw(svg, "path", { class: "chart-lower", d: line });
    this.cursor = draw(svg, "line", { class: "frontier-cursor", y1: MARGIN.top - 6, y2: bottom });
    this.dot = draw(svg, "circle", { class: "frontier-dot", r: 4 });
    this.y = y;
    this.show(this.place);
  }

  show(place) {
    this.place = place;
    const x = this.x(place);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", this.y(place === 0 ? 1 : this.tree.steps[place - 1].frontier_size));
  }
}
