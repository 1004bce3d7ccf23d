// Where to look while the tree grows: all of it as long as its nodes can be read, then at the node
// that is expanded.

export const ACROSS = 72; // from a node to its neighbour, in pixels at scale 1
export const DOWN = 96; // from a node to its children
const MARGIN = 46;
const TOOLS = 44; // what the buttons at the right cover
const READABLE = 0.5;
const LARGEST = 1.1;

function boxOf(layout) {
  return { left: layout.left * ACROSS, right: layout.right * ACROSS, top: 0, bottom: layout.depth * DOWN };
}

/** From afar a wide tree is drawn taller, as far as there is room: its lines can be told apart. */
export function stretchAt(scale, layout, height) {
  const room = (height - MARGIN) / (Math.max(1, layout.depth + 0.6) * DOWN * scale);
  return Math.max(1, Math.min(room, READABLE / scale));
}

/** All of a drawing. */
export function whole(layout, width, height) {
  const { left, right, top, bottom } = boxOf(layout);
  const scale = Math.min(
    (width - MARGIN - TOOLS) / Math.max(right - left + ACROSS * 0.6, 1),
    (height - MARGIN) / Math.max(bottom - top + DOWN * 0.6, 1),
    LARGEST,
  );
  return { x: (left + right) / 2 + TOOLS / 2 / scale, y: (top + bottom) / 2, scale };
}

/**
 * The place to look at while a node is expanded.
 * @param {number | null} wanted the visitor's own scale
 */
export function following(layout, node, width, height, wanted) {
  const all = whole(layout, width, height);
  const scale = wanted ?? Math.max(READABLE, all.scale);
  if (scale <= all.scale || !node) return { ...all, scale };
  const { left, right, top, bottom } = boxOf(layout);
  const within = (at, low, high, size) => {
    const half = (size - MARGIN) / 2 / scale;
    return high - low <= 2 * half ? (low + high) / 2 : Math.max(low + half, Math.min(high - half, at));
  };
  const aside = TOOLS / 2 / scale;
  return {
    x: within(layout.x[node.index] * ACROSS, left - ACROSS / 2, right + ACROSS / 2, width - TOOLS) + aside,
    y: within(layout.y[node.index] * DOWN, top - DOWN / 3, bottom + DOWN / 2, height),
    scale,
  };
}
