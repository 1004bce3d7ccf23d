// The board at the cursor with the move that led to it, g, h and f, and its outcome.

import { describeBoard, fill, makeBoard } from "../board/board_rendering.js";
import { nodeKind } from "./node_kinds.js";
import { formatMove } from "./search_tree.js";

export class BoardView {
  /** @param {(name: string) => HTMLElement} part of the method's panel */
  constructor(part, { width, goal, words, numbers, isInformed }) {
    Object.assign(this, { part, width, goal, words, numbers });
    this.scores = isInformed ? ["g", "h", "f"] : ["g"];
    this.board = makeBoard(part("board"), width, goal.length / width, goal);
    this.shown = null;
  }

  /**
   * @param {object} node of the tree, or of the frontier if the tree does not contain it
   * @param {{place: number, step: object | null, current: object | null, chosen: boolean,
   *          ending: string | null}} moment
   */
  show(node, moment) {
    const { part, words } = this;
    const isAdjacent = this.shown && (node.parent === this.shown || this.shown.parent === node);
    this.board.draw(node.board, !isAdjacent);
    this.shown = node;
    part("board").setAttribute("aria-label", describeBoard(node.board, this.width, this.goal, words));
    for (const name of this.scores) part(name).textContent = this.#formatNumber(node[name]);
    part("move").textContent = formatMove(node);
    part("move-box").hidden = !node.move;
    part("what").textContent = this.#describeNode(node, moment);
    part("to-parent").hidden = !node.parent;
    part("to-step").hidden = !moment.chosen;
  }

  #formatNumber(value) {
    return value === null || value === undefined ? "–" : this.numbers.format(value);
  }

  #describeNode(node, { place, step, current, chosen, ending }) {
    const { words, numbers } = this;
    if (!chosen && ending) return ending;
    if (!chosen && node === current) return fill(words.expands, { step: numbers.format(step.number) });
    if (!chosen && place === 0) return words.the_start;
    if (node.root) return node.backward ? words.the_goal : words.the_start;
    if (node.index < 0) return words.waits;
    return words.kinds[nodeKind(node, place, current)];
  }
}
