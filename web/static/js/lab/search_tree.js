// The search tree of a trace: nodes with parents, and the recorded step at which each of them appears.
//
// Positions count the recorded steps: position 0 is before the first step, position n after the n-th.

import { formatNumber } from "../numbers.js";

const LETTERS = { U: "↑", D: "↓", L: "←", R: "→" };
const NEVER = Infinity;

/** Format the tile that a move shifted, with an arrow: "5 ↑". */
export function formatMove(node) {
  if (!node.move) return "";
  const cell = node.from.indexOf(0); // the tile is now where the blank was
  return `${node.board[cell]} ${LETTERS[node.move]}`;
}

/** Format h as a part of f: with the weight of weighted A*, as in "2·7"; the other searches have none. */
export function formatEstimate(h, weight) {
  return weight === null ? formatNumber(h) : `${formatNumber(weight)}·${formatNumber(h)}`;
}

export class SearchTree {
  /** @param {object} trace the document of the API */
  constructor(trace) {
    this.expanded = trace.expanded;
    this.nodes = [];
    this.byNumber = [new Map(), new Map()]; // of the forward and the backward search
    this.latest = new Map(); // of each board, the last node that was new or cheaper
    this.steps = trace.steps.map((step, index) => this.#addStep(step, index + 1));
    this.#setChildPositions();
    this.path = this.#findPath(trace.path);
    this.goalNumber = trace.path.at(-1); // the goal's number, even if its node is not recorded
    this.searchesMet = this.path.some(({ backward }) => backward);
  }

  #addStep(step, position) {
    const node = this.#findExpandedNode(step, position);
    node.expandedAt = Math.min(node.expandedAt, position);
    const children = step.children.map((child) => this.#addNode({
      ...child, parent: node, position, from: step.board, backward: step.backward, stub: false,
    }));
    return { ...step, node, children };
  }

  /** Return the node of a step: a known child, a root, or a node whose parent is not recorded. */
  #findExpandedNode(step, position) {
    const existing = this.find(step.node, step.backward);
    const isRestart = existing && step.parent === null && existing.expandedAt < position;
    if (existing && !isRestart) return existing; // iterative deepening starts again at its root
    const parent = step.parent === null ? null : this.find(step.parent, step.backward) ?? null;
    return this.#addNode({ ...step, parent, position, move: null, outcome: null, stub: step.parent !== null && !parent });
  }

  #addNode({ node: number, board, g, h, f, move, outcome, parent, position, from, backward, stub }) {
    const root = parent === null && !stub;
    const node = {
      index: this.nodes.length, number, board, g, h, f, move, outcome, parent, from, backward, stub, root,
      children: [], bornAt: root && !backward && position === 1 ? 0 : position, expandedAt: NEVER, replacedAt: NEVER, onPath: false,
      depth: parent ? parent.depth + 1 : 0,
    };
    if (parent) parent.children.push(node);
    this.nodes.push(node);
    if (number !== null) this.byNumber[backward ? 1 : 0].set(number, node);
    if (outcome === "new" || outcome === "cheaper") this.#replaceLatest(node, position);
    return node;
  }

  #replaceLatest(node, position) {
    const key = node.board.join();
    if (node.outcome === "cheaper" && this.latest.has(key)) this.latest.get(key).replacedAt = position;
    this.latest.set(key, node);
  }

  /**
   * Set the position at which each child appears. A recursive search generates the second child after the whole
   * subtree of the first, so a child appears at the last step that had started when the child was numbered.
   */
  #setChildPositions() {
    // A move that was not allowed has no node number; it comes last.
    const started = this.steps.filter(({ children }) => children.length > 0 && children[0].number !== null);
    const positions = new Map(this.steps.map((step, index) => [step, index + 1]));
    started.forEach((step, from) => {
      let last = from;
      for (const child of step.children) {
        if (child.number === null) continue;
        while (last + 1 < started.length && started[last + 1].children[0].number < child.number) last += 1;
        child.bornAt = positions.get(started[last]);
      }
    });
  }

  /** The node at which the search ended: the goal's, or where two searches met; null if unknown. */
  get end() {
    const end = this.path.findLast(({ backward }) => !backward) ?? null;
    return end && (this.searchesMet || end.number === this.goalNumber) ? end : null;
  }

  /** Return the nodes of the solution that the trace contains, starting with the start. */
  #findPath(numbers) {
    const path = [];
    for (const number of [...numbers].reverse()) {
      const child = path.at(-1);
      const node = child?.parent?.number === number ? child.parent : this.find(number, false) ?? this.find(number, true);
      if (!node || path.includes(node)) continue;
      node.onPath = true;
      path.push(node);
    }
    return path.reverse();
  }

  /** Return the node with a number; if both searches use it, that of the forward search by default. */
  find(number, backward = false) {
    return this.byNumber[backward ? 1 : 0].get(number);
  }

  /** Return a frontier node from the tree or, if it is not there, from the trace. */
  findFrontierNode({ node: number, board, g, h, f }) {
    const hasBoard = (node) => node && node.board.every((tile, cell) => tile === board[cell]);
    const existing = [this.find(number), this.find(number, true)].find(hasBoard);
    return existing ?? { number, board, g, h, f, move: null, parent: null, index: -1 };
  }

  /** Return the position of a step number: how many steps up to it are recorded. */
  findPosition(number) {
    let low = 0;
    let high = this.steps.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.steps[middle - 1].number <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The ranges of step numbers that are not recorded, as pairs of the first and the last. */
  get gaps() {
    const gaps = [];
    let next = 1;
    for (const { number } of this.steps) {
      if (number > next) gaps.push([next, number - 1]);
      next = number + 1;
    }
    if (next <= this.expanded) gaps.push([next, this.expanded]);
    return gaps;
  }
}

// The kind of a node at a position of the clock, which determines its shape and description.

/** @returns {"current" | "expanded" | "waiting" | "duplicate" | "cheaper" | "cut" | "forbidden"} */
export function getNodeKind(node, position, current) {
  if (node === current) return "current";
  if (node.outcome === "forbidden") return "forbidden";
  if (node.outcome === "duplicate" || node.outcome === "cut") return node.expandedAt <= position ? "expanded" : node.outcome;
  if (node.expandedAt <= position) return "expanded";
  if (node.replacedAt <= position) return "duplicate"; // it left the frontier, or will be skipped
  return node.outcome === "cheaper" ? "cheaper" : "waiting";
}
