// A tidy layout of a forest: children side by side under their parent, subtrees as close as possible,
// each node centred above its children.
//
// Reingold, Tilford, "Tidier drawings of trees", 1981: threads follow the outlines of neighbouring
// subtrees, so that the layout takes time linear in the number of nodes.

const MIN_DISTANCE = 1;

/**
 * @param {object[]} nodes the nodes to draw, each after its parent: index, parent, depth
 * @param {number} count upper bound on the indices
 * @returns {{x: Float64Array, y: Float64Array, left: number, right: number, depth: number}} by index,
 *   in units of the distance to a neighbour and to a child
 */
export function layOut(nodes, count) {
  const outline = new Outline(count + 1);
  const superRoot = count; // the parent of all roots
  const children = Array.from({ length: count + 1 }, () => []);
  const isShown = new Uint8Array(count + 1);
  for (const node of nodes) isShown[node.index] = 1;
  for (const { index, parent } of nodes) children[parent && isShown[parent.index] ? parent.index : superRoot].push(index);
  for (const { index } of [...nodes].reverse()) outline.join(index, children[index]);
  outline.join(superRoot, children[superRoot]);

  const x = new Float64Array(count);
  const y = new Float64Array(count);
  let [left, right, depth] = [Infinity, -Infinity, 0];
  for (const { index, parent } of nodes) {
    const parentIndex = parent && isShown[parent.index] ? parent.index : -1;
    x[index] = (parentIndex < 0 ? 0 : x[parentIndex]) + outline.offset[index];
    y[index] = parentIndex < 0 ? 0 : y[parentIndex] + 1;
    left = Math.min(left, x[index]);
    right = Math.max(right, x[index]);
    depth = Math.max(depth, y[index]);
  }
  return { x, y, left, right, depth };
}

/** The outlines of the subtrees joined so far. */
class Outline {
  constructor(count) {
    this.offset = new Float64Array(count); // from the parent
    this.first = new Int32Array(count).fill(-1);
    this.last = new Int32Array(count).fill(-1);
    // Each side of the outline has a thread from its deepest node to a deeper neighbour.
    this.left = new Side(count);
    this.right = new Side(count);
  }

  /** Place subtrees side by side under a node. */
  join(node, children) {
    const { offset, left, right } = this;
    left.deepest[node] = right.deepest[node] = node;
    if (children.length === 0) return;
    this.first[node] = children[0];
    this.last[node] = children.at(-1);
    const offsets = new Float64Array(children.length);
    let [leftEnd, leftAt] = [left.deepest[children[0]], left.deepestAt[children[0]]];
    let [rightEnd, rightAt] = [right.deepest[children[0]], right.deepestAt[children[0]]];
    for (let index = 1; index < children.length; index += 1) {
      const child = children[index];
      let [a, aAt, b, bAt] = [children[index - 1], offsets[index - 1], child, 0];
      let shift = aAt + MIN_DISTANCE;
      let [nextA, nextB] = [this.#nextNode(a, right, this.last), this.#nextNode(b, left, this.first)];
      while (nextA >= 0 && nextB >= 0) {
        aAt += this.#nextOffset(a, right, this.last);
        bAt += this.#nextOffset(b, left, this.first);
        [a, b] = [nextA, nextB];
        shift = Math.max(shift, aAt - bAt + MIN_DISTANCE);
        [nextA, nextB] = [this.#nextNode(a, right, this.last), this.#nextNode(b, left, this.first)];
      }
      offsets[index] = shift;
      const [childRight, childRightAt] = [right.deepest[child], shift + right.deepestAt[child]];
      if (nextB >= 0) {
        left.setThread(leftEnd, nextB, shift + bAt + this.#nextOffset(b, left, this.first) - leftAt);
        [leftEnd, leftAt] = [left.deepest[child], shift + left.deepestAt[child]];
      }
      if (nextA >= 0) right.setThread(childRight, nextA, aAt + this.#nextOffset(a, right, this.last) - childRightAt);
      else [rightEnd, rightAt] = [childRight, childRightAt];
    }
    const middle = offsets[children.length - 1] / 2;
    children.forEach((child, index) => (offset[child] = offsets[index] - middle));
    [left.deepest[node], left.deepestAt[node]] = [leftEnd, leftAt - middle];
    [right.deepest[node], right.deepestAt[node]] = [rightEnd, rightAt - middle];
  }

  #nextNode(node, side, outer) {
    return outer[node] >= 0 ? outer[node] : side.thread[node];
  }

  #nextOffset(node, side, outer) {
    return outer[node] >= 0 ? this.offset[outer[node]] : side.threadOffset[node];
  }
}

class Side {
  constructor(count) {
    this.thread = new Int32Array(count).fill(-1);
    this.threadOffset = new Float64Array(count);
    this.deepest = new Int32Array(count).fill(-1);
    this.deepestAt = new Float64Array(count);
  }

  setThread(from, to, offset) {
    this.thread[from] = to;
    this.threadOffset[from] = offset;
  }
}
