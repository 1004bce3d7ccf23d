// The current board with the last move, g, h and f, and its outcome.

import { describeBoard, fill, makeBoard } from "../board/board_rendering.js";
import { getNodeKind } from "./node_kinds.js";
import { formatEstimate, formatMove } from "./search_tree.js";

export class BoardView {
  /** @param {(name: string) => HTMLElement} part of the method's panel */
  constructor(part, { width, goal, texts, numbers, isInformed, weight }) {
    Object.assign(this, { part, width, goal, texts, numbers, weight });
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
    const { part, texts } = this;
    const isAdjacent = this.shownNode && (node.parent === this.shownNode || this.shownNode.parent === node);
    this.board.draw(node.board, !isAdjacent);
    this.shownNode = node;
    part("board").setAttribute("aria-label", describeBoard(node.board, this.width, this.goal, texts));
    for (const name of this.scores) part(name).textContent = this.#formatScore(name, node[name]);
    part("move").textContent = formatMove(node);
    part("move-box").hidden = !node.move;
    part("node-description").textContent = this.#describeNode(node, moment);
    part("to-parent").hidden = !node.parent;
    part("to-step").hidden = !moment.hasSelection;
  }

  #formatScore(name, value) {
    if (value === null || value === undefined) return "–";
    return name === "h" ? formatEstimate(value, this.weight, this.numbers) : this.numbers.format(value);
  }

  #describeNode(node, { position, step, current, hasSelection, ending }) {
    const { texts, numbers } = this;
    if (!hasSelection && ending) return ending;
    if (!hasSelection && node === current) return fill(texts.expands, { step: numbers.format(step.number) });
    if (!hasSelection && position === 0) return texts.the_start;
    if (node.root) return node.backward ? texts.the_goal : texts.the_start;
    if (node.index < 0) return texts.waits;
    return texts.kinds[getNodeKind(node, position, current)];
  }
}
