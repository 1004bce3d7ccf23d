// Paints a search tree with a pen: a canvas, or one that writes an SVG file.

import { getNodeKind } from "./node_kinds.js";
import { paintLines } from "./tree_lines.js";

const MARGIN = 40; // px beyond the edges within which nodes are still painted

/**
 * @param {CanvasRenderingContext2D | import("./svg_pen.js").SvgPen} pen
 * @param {{shownNodes: object[], tree: object, glyphs: object, position: number, current: object | null,
 *          selectedNode: object | null, over: boolean}} view
 * @param {{locate: (node: object) => number[], scale: number, width: number, height: number}} frame
 */
export function paintTree(pen, { shownNodes, tree, glyphs, position, current, selectedNode, over }, { locate, scale, width, height }) {
  paintLines(pen, shownNodes, { locate, current, solution: over ? tree.path : [], halfSize: glyphs.halfSize(scale), colours: glyphs.colours, width, height });
  const margin = MARGIN * Math.max(1, scale);
  const foreground = [];
  for (const node of shownNodes) {
    const [x, y] = locate(node);
    if (x < -margin || y < -margin || x > width + margin || y > height + margin) continue;
    const isNew = node.parent === current && current !== null;
    const isForeground = node === current || node === selectedNode || (over && node.onPath);
    if (isForeground) foreground.push([node, x, y]);
    else glyphs.draw(pen, node, getNodeKind(node, position, current), { x, y, scale, isNew, isSelected: false });
  }
  for (const [node, x, y] of foreground) {
    glyphs.draw(pen, node, getNodeKind(node, position, current), { x, y, scale, isNew: false, isSelected: node === selectedNode });
  }
}
