// The search tree of a trace: nodes with parents, and the recorded step at which each of them appears.
//
// Places number the recorded steps: place 0 is before the first, place n after the n-th.

const LETTERS = { U: "↑", D: "↓", L: "←", R: "→" };
const NEVER = Infinity;

/** Format the tile that a move shifted with its arrow: "5 ↑". */
export function formatMove(node) {
  if (!node.move) return "";
  const before = node.from.indexOf(0); // the tile is now where the blank was
  return `${node.board[before]} ${LETTERS[node.move]}`;
}

export class SearchTree {
  /** @param {object} trace the document of the API */
  constructor(trace) {
    this.expanded = trace.expanded;
    this.nodes = [];
    this.byNumber = [new Map(), new Map()]; // of the forward and the backward search
    this.steps = trace.steps.map((step, index) => this.#addStep(step, index + 1));
    this.#setChildPlaces();
    this.path = this.#findPath(trace.path);
    this.last = trace.path.at(-1); // the goal's number, even if its node is not recorded
    this.met = this.path.some(({ backward }) => backward);
  }

  #addStep(step, place) {
    const node = this.#findExpandedNode(step, place);
    node.expandedAt = Math.min(node.expandedAt, place);
    const children = step.children.map((child) => this.#addNode({
      ...child, parent: node, place, from: step.board, backward: step.backward, stub: false,
    }));
    return { ...step, node, children };
  }

  /** Return the node of a step: a known child, a root, or a node whose parent is not recorded. */
  #findExpandedNode(step, place) {
    const known = this.find(step.node, step.backward);
    const again = known && step.parent === null && known.expandedAt < place;
    if (known && !again) return known; // iterative deepening starts again at its root
    const parent = step.parent === null ? null : this.find(step.parent, step.backward) ?? null;
    return this.#addNode({ ...step, parent, place, move: null, outcome: null, stub: step.parent !== null && !parent });
  }

  #addNode({ node: number, board, g, h, f, move, outcome, parent, place, from, backward, stub }) {
    const root = parent === null && !stub;
    const node = {
      index: this.nodes.length, number, board, g, h, f, move, outcome, parent, from, backward, stub, root,
      children: [], bornAt: root && !backward && place === 1 ? 0 : place, expandedAt: NEVER, onPath: false,
      depth: parent ? parent.depth + 1 : 0,
    };
    if (parent) parent.children.push(node);
    this.nodes.push(node);
    if (number !== null) this.byNumber[backward ? 1 : 0].set(number, node);
    return node;
  }

  /**
   * Set the place at which each child appears. A recursive search generates the second child after the whole
   * subtree of the first, so a child appears at the last step that had started when it was numbered.
   */
  #setChildPlaces() {
    // A move that was not allowed has no node number; it comes last.
    const started = this.steps.filter(({ children }) => children.length > 0 && children[0].number !== null);
    const places = new Map(this.steps.map((step, index) => [step, index + 1]));
    started.forEach((step, from) => {
      let last = from;
      for (const child of step.children) {
        if (child.number === null) continue;
        while (last + 1 < started.length && started[last + 1].children[0].number < child.number) last += 1;
        child.bornAt = places.get(started[last]);
      }
    });
  }

  /** The node at which the search ended: the goal's, or where two searches met; null if unknown. */
  get end() {
    const end = this.path.findLast(({ backward }) => !backward) ?? null;
    return end && (this.met || end.number === this.last) ? end : null;
  }

  /** Return the solution's nodes that the trace contains, the start first. */
  #findPath(numbers) {
    const path = [];
    for (const number of [...numbers].reverse()) {
      const below = path.at(-1);
      const node = below?.parent?.number === number ? below.parent : this.find(number, false) ?? this.find(number, true);
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
    const same = (node) => node && node.board.every((tile, cell) => tile === board[cell]);
    const known = [this.find(number), this.find(number, true)].find(same);
    return known ?? { number, board, g, h, f, move: null, parent: null, index: -1 };
  }

  /** Return the place of a step number: the recorded steps up to it. */
  placeOf(number) {
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
