// The view of a growing tree: the whole tree while its nodes are readable, afterwards the expanded node.

export const NODE_SPACING = 72; // between neighbouring nodes, in pixels at scale 1
export const LEVEL_SPACING = 96; // between a node and its children
const MARGIN = 46;
const TOOLBAR_WIDTH = 44; // covered by the buttons on the right
const MIN_READABLE_SCALE = 0.5;
const MAX_SCALE = 1.1;

function boundingBox(layout) {
  return { left: layout.left * NODE_SPACING, right: layout.right * NODE_SPACING, top: 0, bottom: layout.depth * LEVEL_SPACING };
}

/** Return how much to stretch a wide tree vertically at a small scale, so that its lines can be distinguished. */
export function computeStretch(scale, layout, height) {
  const maxStretch = (height - MARGIN) / (Math.max(1, layout.depth + 0.6) * LEVEL_SPACING * scale);
  return Math.max(1, Math.min(maxStretch, MIN_READABLE_SCALE / scale));
}

/** Return the view that shows the whole drawing. */
export function fitAll(layout, width, height) {
  const { left, right, top, bottom } = boundingBox(layout);
  const scale = Math.min(
    (width - MARGIN - TOOLBAR_WIDTH) / Math.max(right - left + NODE_SPACING * 0.6, 1),
    (height - MARGIN) / Math.max(bottom - top + LEVEL_SPACING * 0.6, 1),
    MAX_SCALE,
  );
  return { x: (left + right) / 2 + TOOLBAR_WIDTH / 2 / scale, y: (top + bottom) / 2, scale };
}

/**
 * Return the view that follows the expanded node.
 * @param {number | null} chosenScale the scale that the visitor chose
 */
export function followNode(layout, node, width, height, chosenScale) {
  const whole = fitAll(layout, width, height);
  const scale = chosenScale ?? Math.max(MIN_READABLE_SCALE, whole.scale);
  if (scale <= whole.scale || !node) return { ...whole, scale };
  const { left, right, top, bottom } = boundingBox(layout);
  const clampAxis = (value, low, high, size) => {
    const half = (size - MARGIN) / 2 / scale;
    return high - low <= 2 * half ? (low + high) / 2 : Math.max(low + half, Math.min(high - half, value));
  };
  const offset = TOOLBAR_WIDTH / 2 / scale;
  return {
    x: clampAxis(layout.x[node.index] * NODE_SPACING, left - NODE_SPACING / 2, right + NODE_SPACING / 2, width - TOOLBAR_WIDTH) + offset,
    y: clampAxis(layout.y[node.index] * LEVEL_SPACING, top - LEVEL_SPACING / 3, bottom + LEVEL_SPACING / 2, height),
    scale,
  };
}
