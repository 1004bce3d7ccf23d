// Nodes as lists of buttons: the children of a step with their outcomes, and the frontier.

import { describeBoard, fill } from "../board/board_rendering.js";
import { formatEstimate, formatMove } from "./search_tree.js";
import { makeBoardPicture } from "./small_board.js";

const MAX_PICTURE_CELLS = 100;

export class NodeLists {
  constructor(part, { width, goal, texts, numbers, isInformed, weight, onChoose }) {
    Object.assign(this, { part, width, goal, texts, numbers, isInformed, weight, onChoose });
    this.items = new WeakMap(); // most nodes stay in the frontier for many steps
  }

  /** Show the children of a step, in the order in which they were generated. */
  showChildren(children) {
    this.part("children-box").hidden = children.length === 0;
    this.part("children").replaceChildren(...children.map((node) => this.#makeItem(node, (button) => {
      const { outcome } = node;
      button.classList.add("child", `child-${outcome}`);
      append(button, "span", "child-move", formatMove(node));
      append(button, "span", "child-outcome", this.texts.outcomes[outcome]);
      append(button, "span", "child-score", this.#formatScore(node));
    })));
  }

  /** Show the next nodes of the frontier, which has `size` nodes. */
  showFrontier(waiting, size, selectedNode) {
    const { part, texts, numbers } = this;
    part("frontier-size").textContent = numbers.format(size);
    const hiddenCount = size - waiting.length;
    part("frontier-note").textContent = hiddenCount > 0 ? fill(texts.and_more, { count: numbers.format(hiddenCount) }) : size === 0 ? texts.frontier_empty : "";
    const items = waiting.map((node) => this.#makeFrontierItem(node));
    items.forEach((item, index) => item.firstChild.setAttribute("aria-pressed", waiting[index] === selectedNode ? "true" : "false"));
    const list = part("frontier");
    const isUnchanged = list.children.length === items.length && items.every((item, index) => item === list.children[index]);
    if (!isUnchanged) list.replaceChildren(...items); // otherwise the focus would be lost
  }

  #makeFrontierItem(node) {
    if (this.items.has(node)) return this.items.get(node);
    const { numbers } = this;
    const item = this.#makeItem(node, (button) => {
      button.classList.add("waiting");
      if (node.board.length <= MAX_PICTURE_CELLS) button.append(makeBoardPicture(node.board, this.width, this.goal));
      append(button, "span", "waiting-f", numbers.format(node.f));
      if (this.isInformed) append(button, "span", "waiting-sum", `${numbers.format(node.g)} + ${formatEstimate(node.h, this.weight, numbers)}`);
    });
    this.items.set(node, item);
    return item;
  }

  #makeItem(node, decorate) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.node = node.number;
    decorate(button);
    button.setAttribute("aria-label", this.#describeNode(node));
    button.title = this.#formatScores(node);
    button.addEventListener("click", () => this.onChoose(node));
    item.append(button);
    return item;
  }

  #formatScore({ g, f }) {
    if (!this.isInformed) return this.#formatDepth(g);
    return f === null ? `g ${g}` : `f ${this.numbers.format(f)}`;
  }

  #formatDepth(depth) {
    return fill(this.texts.depth, { depth: this.numbers.format(depth) });
  }

  #formatScores({ g, h, f }) {
    if (!this.isInformed) return this.#formatDepth(g);
    if (f === null) return `g = ${g}`;
    const estimate = `${this.weight === null ? "h" : "w·h"} = ${formatEstimate(h, this.weight, this.numbers)}`;
    return `g = ${g}, ${estimate}, f = ${this.numbers.format(f)}`;
  }

  #describeNode(node) {
    const parts = [describeBoard(node.board, this.width, this.goal, this.texts), this.#formatScores(node)];
    if (node.outcome) parts.push(this.texts.outcomes[node.outcome]);
    return parts.join("; ");
  }
}

function append(parent, name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  parent.append(element);
}
