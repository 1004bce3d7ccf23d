// Paints a search tree with a pen: a canvas, or one that writes an SVG file.

import { nodeKind } from "./node_kinds.js";
import { paintLines } from "./tree_lines.js";

const MARGIN = 40; // px beyond the edges within which nodes are still painted

/**
 * @param {CanvasRenderingContext2D | import("./svg_pen.js").SvgPen} pen
 * @param {{shown: object[], tree: object, glyphs: object, place: number, current: object | null,
 *          chosen: object | null, over: boolean}} view
 * @param {{at: (node: object) => number[], scale: number, width: number, height: number}} frame
 */
export function paintTree(pen, { shown, tree, glyphs, place, current, chosen, over }, { at, scale, width, height }) {
  paintLines(pen, shown, { at, current, solution: over ? tree.path : [], reach: glyphs.reach(scale), colours: glyphs.colours, width, height });
  const margin = MARGIN * Math.max(1, scale);
  const last = [];
  for (const node of shown) {
    const [x, y] = at(node);
    if (x < -margin || y < -margin || x > width + margin || y > height + margin) continue;
    const fresh = node.parent === current && current !== null;
    const special = node === current || node === chosen || (over && node.onPath);
    if (special) last.push([node, x, y]);
    else glyphs.draw(pen, node, nodeKind(node, place, current), { x, y, scale, fresh, chosen: false });
  }
  for (const [node, x, y] of last) {
    glyphs.draw(pen, node, nodeKind(node, place, current), { x, y, scale, fresh: false, chosen: node === chosen });
  }
}
