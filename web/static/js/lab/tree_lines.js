// The lines from nodes to their children: thin; stronger below the expanded node; thick along the
// solution; dashed where the solution jumps from tree to tree. Neighbours without recorded parents, possibly
// hundreds, share one dotted line.

const RAIL_PX = 12;

/**
 * @param {object[]} nodes
 * @param {{locate: (node: object) => number[], current: object, solution: object[], halfSize: number,
 *          colours: object, width: number, height: number}} view
 */
export function paintLines(pen, nodes, { locate, current, solution, halfSize, colours, width, height }) {
  const [ordinary, fromCurrent, path, rails, jumps] = [[], [], [], [], []];
  for (const node of nodes) {
    const [x, y] = locate(node);
    if (!node.parent) continue;
    const [fromX, fromY] = locate(node.parent);
    if (Math.max(x, fromX) < 0 || Math.min(x, fromX) > width || y < 0 || fromY > height) continue;
    const onPath = solution.length > 0 && node.onPath && node.parent.onPath;
    const lines = onPath ? path : node.parent === current ? fromCurrent : ordinary;
    lines.push([fromX, fromY, x, y]);
  }
  for (const group of groupOrphans(nodes)) {
    const [left, y] = locate(group[0]);
    const [right] = locate(group.at(-1));
    rails.push([left - halfSize, y - halfSize - RAIL_PX, right + halfSize, y - halfSize - RAIL_PX]);
  }
  solution.slice(1).forEach((node, index) => {
    const previous = solution[index];
    if (node.parent !== previous && previous.parent !== node) jumps.push([...locate(previous), ...locate(node)]);
  });
  const strokes = [
    [ordinary, colours.lineStrong, 1, []],
    [rails, colours.lineStrong, 2, [2, 4]],
    [fromCurrent, colours.cobalt, 2, []],
    [path, colours.bright, 4, []],
    [jumps, colours.bright, 2, [5, 5]],
  ];
  for (const [lines, colour, thickness, dashes] of strokes) {
    if (lines.length === 0) continue;
    pen.strokeStyle = colour;
    pen.lineWidth = thickness;
    pen.globalAlpha = lines === ordinary ? 0.55 : 1;
    pen.setLineDash(dashes);
    pen.beginPath();
    for (const [fromX, fromY, x, y] of lines) {
      const middle = (y + fromY) / 2;
      pen.moveTo(fromX, fromY);
      if (dashes.length > 0) pen.lineTo(x, y);
      else pen.bezierCurveTo(fromX, middle, x, middle, x, y);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
}

/** Group adjacent nodes without recorded parents; all roots are side by side. */
function groupOrphans(nodes) {
  const groups = [];
  let isGroupOpen = false;
  for (const node of nodes) {
    if (node.parent) continue;
    if (node.stub && isGroupOpen) groups.at(-1).push(node);
    else if (node.stub) groups.push([node]);
    isGroupOpen = node.stub;
  }
  return groups;
}
