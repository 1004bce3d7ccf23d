// Nodes as lists of buttons: the children of a step with their outcomes, and the frontier.

import { describe, fill } from "../board/make_board.js";
import { moveText } from "./search_tree.js";
import { pictureOf } from "./small_board.js";

const LARGEST_PICTURE = 100; // cells

export class NodeLists {
  constructor(part, { width, goal, words, numbers, onChoose }) {
    Object.assign(this, { part, width, goal, words, numbers, onChoose });
    this.made = new WeakMap(); // most nodes wait for many steps
  }

  /** The children of a step, in the order in which they were made. */
  showChildren(children) {
    this.part("children-box").hidden = children.length === 0;
    this.part("children").replaceChildren(...children.map((node) => this.#item(node, (button) => {
      const { outcome } = node;
      button.classList.add("child", `child-${outcome}`);
      append(button, "span", "child-move", moveText(node));
      append(button, "span", "child-outcome", this.words.outcomes[outcome]);
      const score = node.f === null ? `g ${node.g}` : `f ${this.numbers.format(node.f)}`;
      append(button, "span", "child-score", score);
    })));
  }

  /** The nodes whose turn is next, of `size` in all; null where they were not counted. */
  showFrontier(waiting, size, chosen) {
    const { part, words, numbers } = this;
    part("frontier-size").textContent = size === null ? "" : numbers.format(size);
    const rest = size === null ? 0 : size - waiting.length;
    part("frontier-rest").textContent = size === null ? words.frontier_unknown : rest > 0 ? fill(words.and_more, { count: numbers.format(rest) }) : size === 0 ? words.frontier_empty : "";
    const items = waiting.map((node) => this.#waiting(node));
    items.forEach((item, place) => item.firstChild.setAttribute("aria-pressed", waiting[place] === chosen ? "true" : "false"));
    const list = part("frontier");
    const same = list.children.length === items.length && items.every((item, place) => item === list.children[place]);
    if (!same) list.replaceChildren(...items); // the one in focus would lose it
  }

  #waiting(node) {
    if (this.made.has(node)) return this.made.get(node);
    const { numbers } = this;
    const item = this.#item(node, (button) => {
      button.classList.add("waiting");
      if (node.board.length <= LARGEST_PICTURE) button.append(pictureOf(node.board, this.width, this.goal));
      append(button, "span", "waiting-f", numbers.format(node.f));
      append(button, "span", "waiting-sum", `${numbers.format(node.g)} + ${numbers.format(node.h)}`);
    });
    this.made.set(node, item);
    return item;
  }

  #item(node, decorate) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.node = node.number;
    decorate(button);
    button.setAttribute("aria-label", this.#inWords(node));
    button.title = this.#title(node);
    button.addEventListener("click", () => this.onChoose(node));
    item.append(button);
    return item;
  }

  #title({ g, h, f }) {
    return f === null ? `g = ${g}` : `g = ${g}, h = ${this.numbers.format(h)}, f = ${this.numbers.format(f)}`;
  }

  #inWords(node) {
    const words = [describe(node.board, this.width, this.goal, this.words), this.#title(node)];
    if (node.outcome) words.push(this.words.outcomes[node.outcome]);
    return words.join("; ");
  }
}

function append(parent, name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  parent.append(element);
}
