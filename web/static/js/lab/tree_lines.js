// Lines from nodes to their children: thin, stronger below the node expanded, thick along the
// solution, dashed where that leaps from tree to tree; a dotted stub for a node whose parent no kept
// step shows.

const STUB_PX = 22;

/**
 * @param {object[]} nodes
 * @param {{at: (node: object) => number[], current: object, solution: object[], reach: number,
 *          colours: object, width: number, height: number}} view
 */
export function paintLines(pen, nodes, { at, current, solution, reach, colours, width, height }) {
  const plain = new Path2D();
  const fresh = new Path2D();
  const path = new Path2D();
  const leaps = new Path2D();
  const stubs = new Path2D();
  for (const node of nodes) {
    const [x, y] = at(node);
    if (!node.parent) {
      if (!node.stub) continue;
      stubs.moveTo(x, y - reach);
      stubs.lineTo(x, y - reach - STUB_PX);
      continue;
    }
    const [fromX, fromY] = at(node.parent);
    if (Math.max(x, fromX) < 0 || Math.min(x, fromX) > width || y < 0 || fromY > height) continue;
    const onPath = solution.length > 0 && node.onPath && node.parent.onPath;
    const line = onPath ? path : node.parent === current ? fresh : plain;
    const middle = (y + fromY) / 2;
    line.moveTo(fromX, fromY);
    line.bezierCurveTo(fromX, middle, x, middle, x, y);
  }
  solution.slice(1).forEach((node, place) => {
    const before = solution[place];
    if (node.parent === before || before.parent === node) return;
    leaps.moveTo(...at(before));
    leaps.lineTo(...at(node));
  });
  const strokes = [
    [plain, colours.lineStrong, 1, []],
    [stubs, colours.lineStrong, 2, [2, 4]],
    [fresh, colours.cobalt, 2, []],
    [path, colours.bright, 4, []],
    [leaps, colours.bright, 2, [5, 5]],
  ];
  for (const [line, colour, thickness, dashes] of strokes) {
    pen.strokeStyle = colour;
    pen.lineWidth = thickness;
    pen.globalAlpha = line === plain ? 0.55 : 1;
    pen.setLineDash(dashes);
    pen.stroke(line);
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
}
