// The views in a method's panel: the current board, lists of nodes, and the size of the frontier.

import { describeBoard, makeBoard } from "../board/board.js";
import { draw, drawGrid, makeCountScale, measureChart, RIGHT } from "../job/chart.js";
import { getNodeKind, formatEstimate, formatMove } from "./search_tree.js";
import { makeBoardPicture } from "./tree_painting.js";
import { gettext } from "../texts.js";
import { formatNumber, formatShort } from "../numbers.js";
import { make } from "../elements.js";

// The current board with the last move, g, h and f, and its outcome.
export class BoardView {
  /** @param {(name: string) => HTMLElement} part of the method's panel */
  constructor(part, { width, goal, isInformed, weight }) {
    Object.assign(this, { part, width, goal, weight });
    this.scores = isInformed ? ["g", "h", "f"] : ["g"];
    this.board = makeBoard(part("board"), width, goal.length / width, goal);
    this.shownNode = null;
  }

  /**
   * @param {object} node of the tree, or of the frontier if the tree does not contain it
   * @param {{position: number, step: object | null, current: object | null, hasSelection: boolean,
   *          ending: string | null}} moment
   */
  show(node, moment) {
    const { part } = this;
    const isAdjacent = this.shownNode && (node.parent === this.shownNode || this.shownNode.parent === node);
    this.board.draw(node.board, !isAdjacent);
    this.shownNode = node;
    part("board").setAttribute("aria-label", describeBoard(node.board, this.width, this.goal));
    for (const name of this.scores) part(name).textContent = this.#formatScore(name, node[name]);
    part("move").textContent = formatMove(node);
    part("move-box").hidden = !node.move;
    part("node-description").textContent = this.#describeNode(node, moment);
    part("to-parent").hidden = !node.parent;
    part("to-step").hidden = !moment.hasSelection;
  }

  #formatScore(name, value) {
    if (value === null || value === undefined) return "–";
    return name === "h" ? formatEstimate(value, this.weight) : formatNumber(value);
  }

  #describeNode(node, { position, step, current, hasSelection, ending }) {
    if (!hasSelection && ending) return ending;
    if (!hasSelection && node === current) return gettext("Expanded in step {step}", { step: formatNumber(step.number) });
    if (!hasSelection && position === 0) return gettext("Start");
    if (node.root) return node.backward ? gettext("The goal, where the backward search starts") : gettext("Start");
    if (node.index < 0) return gettext("In the frontier");
    return describeKind(getNodeKind(node, position, current));
  }
}

function describeKind(kind) {
  const descriptions = {
    current: gettext("Expanded now"),
    expanded: gettext("Already expanded"),
    waiting: gettext("In the frontier"),
    cheaper: gettext("In the frontier, reached by a cheaper path"),
    duplicate: gettext("A board already known"),
    cut: gettext("Pruned: not expanded"),
    forbidden: gettext("Not allowed: it would undo the previous move"),
  };
  return descriptions[kind];
}

function nameOutcome(outcome) {
  const names = {
    new: gettext("new"),
    duplicate: gettext("already known"),
    cheaper: gettext("cheaper path"),
    cut: gettext("pruned"),
    forbidden: gettext("not allowed"),
  };
  return names[outcome];
}

// Nodes as lists of buttons: the children of a step with their outcomes, and the frontier.

const MAX_PICTURE_CELLS = 100;

export class NodeLists {
  constructor(part, { width, goal, isInformed, weight, onChoose }) {
    Object.assign(this, { part, width, goal, isInformed, weight, onChoose });
    this.items = new WeakMap(); // most nodes stay in the frontier for many steps
  }

  /** Show the children of a step, in the order in which they were generated. */
  showChildren(children) {
    this.part("children-box").hidden = children.length === 0;
    const items = children.map((node) => this.#makeItem(node, `child child-${node.outcome}`, [
      make("span", { className: "child-move" }, formatMove(node)),
      make("span", { className: "child-outcome" }, nameOutcome(node.outcome)),
      make("span", { className: "child-score" }, this.#formatScore(node)),
    ]));
    this.part("children").replaceChildren(...items);
  }

  /** Show the next nodes of the frontier, which has `size` nodes. */
  showFrontier(waiting, size, selectedNode) {
    const { part } = this;
    part("frontier-size").textContent = formatNumber(size);
    const hiddenCount = size - waiting.length;
    part("frontier-note").textContent = hiddenCount > 0 ? gettext("and {count} more", { count: formatNumber(hiddenCount) }) : size === 0 ? gettext("The frontier is empty.") : "";
    const items = waiting.map((node) => this.#makeFrontierItem(node));
    items.forEach((item, index) => item.firstChild.setAttribute("aria-pressed", waiting[index] === selectedNode ? "true" : "false"));
    const list = part("frontier");
    const isUnchanged = list.children.length === items.length && items.every((item, index) => item === list.children[index]);
    if (!isUnchanged) list.replaceChildren(...items); // otherwise the focus would be lost
  }

  #makeFrontierItem(node) {
    if (this.items.has(node)) return this.items.get(node);
    const { g, h, f, board } = node;
    const parts = [make("span", { className: "waiting-f" }, formatNumber(f))];
    if (board.length <= MAX_PICTURE_CELLS) parts.unshift(makeBoardPicture(board, this.width, this.goal));
    if (this.isInformed) parts.push(make("span", { className: "waiting-sum" }, `${formatNumber(g)} + ${formatEstimate(h, this.weight)}`));
    const item = this.#makeItem(node, "waiting", parts);
    this.items.set(node, item);
    return item;
  }

  #makeItem(node, className, parts) {
    const button = make("button", { type: "button", className, title: this.#formatScores(node), ariaLabel: this.#describeNode(node) }, ...parts);
    button.dataset.node = node.number;
    button.addEventListener("click", () => this.onChoose(node));
    return make("li", {}, button);
  }

  #formatScore({ g, f }) {
    if (!this.isInformed) return this.#formatDepth(g);
    return f === null ? `g ${g}` : `f ${formatNumber(f)}`;
  }

  #formatDepth(depth) {
    return gettext("depth {depth}", { depth: formatNumber(depth) });
  }

  #formatScores({ g, h, f }) {
    if (!this.isInformed) return this.#formatDepth(g);
    if (f === null) return `g = ${g}`;
    const estimate = `${this.weight === null ? "h" : "w·h"} = ${formatEstimate(h, this.weight)}`;
    return `g = ${g}, ${estimate}, f = ${formatNumber(f)}`;
  }

  #describeNode(node) {
    const parts = [describeBoard(node.board, this.width, this.goal), this.#formatScores(node)];
    if (node.outcome) parts.push(nameOutcome(node.outcome));
    return parts.join("; ");
  }
}

// The chart of the frontier's size at each step, with the position of the clock. Steps that are not
// recorded take no space: a dashed line marks a gap.

const MARGIN = { top: 12, right: RIGHT, bottom: 6, left: 40 };
const LONG_NUMBER = 10000;

export class FrontierChart {
  /** @param {(position: number) => void} onSeek called with the clicked position */
  constructor(svg, tree, onSeek) {
    this.svg = svg;
    this.tree = tree;
    this.position = 0;
    svg.addEventListener("pointerdown", (event) => {
      const fraction = (event.clientX - svg.getBoundingClientRect().left - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right);
      onSeek(Math.max(1, Math.min(tree.steps.length, Math.round(fraction * tree.steps.length))));
    });
    new ResizeObserver(() => svg.clientWidth !== this.width && this.#draw()).observe(svg);
    this.#draw();
  }

  #draw() {
    const { svg, tree } = this;
    this.width = svg.clientWidth;
    const [width, height] = measureChart(svg);
    const bottom = height - MARGIN.bottom;
    const sizes = tree.steps.map(({ frontier_size: size }) => size);
    const max = Math.max(1, ...sizes);
    const scale = makeCountScale(max, 2);
    this.computeX = (position) => MARGIN.left + (position / Math.max(1, sizes.length)) * (width - MARGIN.left - MARGIN.right);
    const y = (size) => bottom - scale.fraction(size) * (bottom - MARGIN.top);
    drawGrid(svg, scale.ticks, MARGIN.left, y, max < LONG_NUMBER ? formatNumber : formatShort);
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
