// A tidy drawing of a forest: children side by side under their parent, subtrees as close as they
// fit, each node over the middle of its children.
//
// Reingold, Tilford, "Tidier drawings of trees", 1981: the outlines of neighbouring subtrees are
// followed by threads, so that the whole takes a time linear in the nodes.

const APART = 1;

/**
 * @param {object[]} nodes those to draw, each after its parent: index, parent, depth
 * @param {number} count indices go up to here
 * @returns {{x: Float64Array, y: Float64Array, left: number, right: number, depth: number}} by index,
 *   in units of a node's distance to its neighbour and to its children
 */
export function layOut(nodes, count) {
  const outline = new Outline(count + 1);
  const over = count; // over all roots
  const children = Array.from({ length: count + 1 }, () => []);
  const shown = new Uint8Array(count + 1);
  for (const node of nodes) shown[node.index] = 1;
  for (const { index, parent } of nodes) children[parent && shown[parent.index] ? parent.index : over].push(index);
  for (let place = nodes.length - 1; place >= 0; place -= 1) {
    const { index } = nodes[place];
    outline.join(index, children[index]);
  }
  outline.join(over, children[over]);

  const x = new Float64Array(count);
  const y = new Float64Array(count);
  let [left, right, depth] = [Infinity, -Infinity, 0];
  for (const { index, parent } of nodes) {
    const under = parent && shown[parent.index] ? parent.index : -1;
    x[index] = (under < 0 ? 0 : x[under]) + outline.offset[index];
    y[index] = under < 0 ? 0 : y[under] + 1;
    left = Math.min(left, x[index]);
    right = Math.max(right, x[index]);
    depth = Math.max(depth, y[index]);
  }
  return { x, y, left, right, depth };
}

/** Outlines of the subtrees joined so far. */
class Outline {
  constructor(count) {
    this.offset = new Float64Array(count); // from the parent
    this.first = new Int32Array(count).fill(-1);
    this.last = new Int32Array(count).fill(-1);
    // Each side of the outline: a thread from its deepest node on to a deeper neighbour.
    this.left = new Side(count);
    this.right = new Side(count);
  }

  /** Put subtrees side by side under a node. */
  join(node, children) {
    const { offset, left, right } = this;
    left.deepest[node] = right.deepest[node] = node;
    if (children.length === 0) return;
    this.first[node] = children[0];
    this.last[node] = children.at(-1);
    const at = new Float64Array(children.length);
    let [leftEnd, leftAt] = [left.deepest[children[0]], left.deepestAt[children[0]]];
    let [rightEnd, rightAt] = [right.deepest[children[0]], right.deepestAt[children[0]]];
    for (let place = 1; place < children.length; place += 1) {
      const child = children[place];
      let [a, aAt, b, bAt] = [children[place - 1], at[place - 1], child, 0];
      let shift = aAt + APART;
      let [nextA, nextB] = [this.#down(a, right, this.last), this.#down(b, left, this.first)];
      while (nextA >= 0 && nextB >= 0) {
        aAt += this.#step(a, right, this.last);
        bAt += this.#step(b, left, this.first);
        [a, b] = [nextA, nextB];
        shift = Math.max(shift, aAt - bAt + APART);
        [nextA, nextB] = [this.#down(a, right, this.last), this.#down(b, left, this.first)];
      }
      at[place] = shift;
      const [childRight, childRightAt] = [right.deepest[child], shift + right.deepestAt[child]];
      if (nextB >= 0) {
        left.lead(leftEnd, nextB, shift + bAt + this.#step(b, left, this.first) - leftAt);
        [leftEnd, leftAt] = [left.deepest[child], shift + left.deepestAt[child]];
      }
      if (nextA >= 0) right.lead(childRight, nextA, aAt + this.#step(a, right, this.last) - childRightAt);
      else [rightEnd, rightAt] = [childRight, childRightAt];
    }
    const middle = at[children.length - 1] / 2;
    children.forEach((child, place) => (offset[child] = at[place] - middle));
    [left.deepest[node], left.deepestAt[node]] = [leftEnd, leftAt - middle];
    [right.deepest[node], right.deepestAt[node]] = [rightEnd, rightAt - middle];
  }

  #down(node, side, outer) {
    return outer[node] >= 0 ? outer[node] : side.thread[node];
  }

  #step(node, side, outer) {
    return outer[node] >= 0 ? this.offset[outer[node]] : side.threadAt[node];
  }
}

class Side {
  constructor(count) {
    this.thread = new Int32Array(count).fill(-1);
    this.threadAt = new Float64Array(count);
    this.deepest = new Int32Array(count).fill(-1);
    this.deepestAt = new Float64Array(count);
  }

  lead(from, to, at) {
    this.thread[from] = to;
    this.threadAt[from] = at;
  }
}
