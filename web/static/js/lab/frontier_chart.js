// How many nodes wait, step by step, and where the clock stands. Steps that are not kept take no
// room: a dashed line marks where some are left out.

import { draw, extentOf, roundStep } from "../job/chart.js";

const EDGE = { top: 12, right: 4, bottom: 6, left: 40 };
const LONG_NUMBER = 10000;

export class FrontierChart {
  /**
   * @param {SVGSVGElement} svg
   * @param {import("./search_tree.js").SearchTree} tree
   * @param {(place: number) => void} onSeek gets the place of the tree that was pointed at
   */
  constructor(svg, tree, numbers, onSeek) {
    this.svg = svg;
    this.tree = tree;
    this.numbers = numbers;
    this.place = 0;
    svg.addEventListener("pointerdown", (event) => {
      const share = (event.clientX - svg.getBoundingClientRect().left - EDGE.left) / (this.width - EDGE.left - EDGE.right);
      onSeek(Math.max(1, Math.min(tree.steps.length, Math.round(share * tree.steps.length))));
    });
    new ResizeObserver(() => svg.clientWidth !== this.width && this.#draw()).observe(svg);
    this.#draw();
  }

  #draw() {
    const { svg, tree, numbers } = this;
    this.width = svg.clientWidth;
    const [width, height] = extentOf(svg);
    const bottom = height - EDGE.bottom;
    const sizes = tree.steps.map(({ frontier_size: size }) => size);
    const most = Math.max(1, ...sizes);
    const step = Math.max(1, roundStep(most, 2));
    const ceiling = Math.ceil(most / step) * step;
    this.x = (place) => EDGE.left + (place / Math.max(1, sizes.length)) * (width - EDGE.left - EDGE.right);
    const y = (size) => bottom - (size / ceiling) * (bottom - EDGE.top);
    const scale = ceiling < LONG_NUMBER ? numbers : new Intl.NumberFormat(numbers.resolvedOptions().locale, { notation: "compact" });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    for (let value = 0; value <= ceiling; value += step) {
      draw(svg, "line", { class: "chart-grid", x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value) });
      draw(svg, "text", { class: "chart-scale", x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" }, scale.format(value));
    }
    let line = "";
    tree.steps.forEach(({ number }, index) => {
      const skips = index > 0 && number > tree.steps[index - 1].number + 1;
      if (skips) draw(svg, "line", { class: "frontier-gap", x1: this.x(index + 0.5), x2: this.x(index + 0.5), y1: EDGE.top - 6, y2: bottom });
      line += `${index === 0 || skips ? "M" : "L"}${this.x(index + 1).toFixed(1)} ${y(sizes[index]).toFixed(1)}`;
    });
    draw(svg, "path", { class: "chart-lower", d: line });
    this.cursor = draw(svg, "line", { class: "frontier-cursor", y1: EDGE.top - 6, y2: bottom });
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
