// The game tree out of a trace: nodes with parents, and at which kept step each of them appears.
//
// Places are the kept steps in order: place 0 is before the first, place n after the n-th.

const LETTERS = { U: "↑", D: "↓", L: "←", R: "→" };
const NEVER = Infinity;

/** The tile that a move shifted, with its arrow: "5 ↑". */
export function moveText(node) {
  if (!node.move) return "";
  const before = node.from.indexOf(0); // the tile lies now where the blank was
  return `${node.board[before]} ${LETTERS[node.move]}`;
}

export class SearchTree {
  /** @param {object} trace the document of the API */
  constructor(trace) {
    this.expanded = trace.expanded;
    this.nodes = [];
    this.byNumber = [new Map(), new Map()]; // of the search forward, and of one from the goal
    this.firstChildren = []; // numbers by which it is known how far the search had come
    this.steps = trace.steps.map((step, index) => this.#addStep(step, index + 1));
    this.#dateChildren();
    this.path = this.#findPath(trace.path);
    this.last = trace.path.at(-1); // the goal's number, be its node kept or not
    this.met = this.path.some(({ backward }) => backward);
  }

  #addStep(step, place) {
    const node = this.#expandedNode(step, place);
    node.expandedAt = Math.min(node.expandedAt, place);
    const children = step.children.map((child) => this.#addNode({
      ...child, parent: node, place, from: step.board, backward: step.backward, stub: false,
    }));
    return { ...step, node, children };
  }

  /** The node of a step: known as a child, or a root, or one whose parent no kept step shows. */
  #expandedNode(step, place) {
    const known = this.find(step.node, step.backward);
    const again = known && step.parent === null && known.expandedAt < place;
    if (known && !again) return known; // a search that deepens starts again at its root
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
   * A recursion makes the second child after all that came of the first: each child appears at the
   * last step that had begun when it was numbered.
   */
  #dateChildren() {
    // What was not allowed was never made, and has no number; it stands last.
    const begun = this.steps.filter(({ children }) => children.length > 0 && children[0].number !== null);
    const places = new Map(this.steps.map((step, index) => [step, index + 1]));
    begun.forEach((step, from) => {
      let last = from;
      for (const child of step.children) {
        if (child.number === null) continue;
        while (last + 1 < begun.length && begun[last + 1].children[0].number < child.number) last += 1;
        child.bornAt = places.get(begun[last]);
      }
    });
  }

  /** The node at which the search ended: the goal's, or where two searches met; null if unknown. */
  get end() {
    const end = this.path.findLast(({ backward }) => !backward) ?? null;
    return end && (this.met || end.number === this.last) ? end : null;
  }

  /** Nodes of the solution that the trace knows, the start first. */
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

  /** The node of a number; of a number that both searches use, that of the search forward. */
  find(number, backward = false) {
    return this.byNumber[backward ? 1 : 0].get(number);
  }

  /** A node that waits, as the tree knows it, else as the trace tells it. */
  waiting({ node: number, board, g, h, f }) {
    const same = (node) => node && node.board.every((tile, cell) => tile === board[cell]);
    const known = [this.find(number), this.find(number, true)].find(same);
    return known ?? { number, board, g, h, f, move: null, parent: null, index: -1 };
  }

  /** Kept steps up to a step number: the place to show there. */
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

  /** Runs of step numbers that no kept step shows: pairs of the first and the last. */
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
