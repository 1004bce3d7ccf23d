// Paints a search tree with a pen: a canvas, or one that writes an SVG file.

import { draw } from "../job/chart.js";
import { formatEstimate, getNodeKind } from "./search_tree.js";
import { formatNumber } from "../numbers.js";

// Small pictures of boards, like the server's: as SVG for lists, and on a canvas for trees.

const MAX_NUMBERED_WIDTH = 5; // columns; the tiles of wider boards are too small for numbers

/** Create an SVG picture of a board, hidden from screen readers. */
export function makeBoardPicture(board, width, goal) {
  const height = board.length / width;
  const [across, down] = [width * 10 + 1, height * 10 + 1];
  const svg = draw(new DocumentFragment(), "svg", { class: "thumb", viewBox: `0 0 ${across} ${down}`, "aria-hidden": "true" });
  draw(svg, "rect", { class: "thumb-tray", width: across, height: down, rx: 1.5 });
  board.forEach((tile, cell) => {
    if (!tile) return;
    const [x, y] = [(cell % width) * 10, Math.floor(cell / width) * 10];
    draw(svg, "rect", { class: tile === goal[cell] ? "thumb-home" : "thumb-away", x: x + 1, y: y + 1, width: 9, height: 9, rx: 1.2 });
    if (width <= MAX_NUMBERED_WIDTH) draw(svg, "text", { x: x + 5.5, y: y + 5.7, "font-size": board.length > 9 ? 4.6 : 5.6 }, tile);
  });
  return svg;
}

/** Draw a board on a canvas, within a square around a centre. */
function paintBoard(pen, board, width, goal, colours, x, y, size) {
  const height = board.length / width;
  const cell = size / Math.max(width, height);
  const [left, top] = [x - (cell * width) / 2, y - (cell * height) / 2];
  pen.fillStyle = colours.tray;
  pen.beginPath();
  pen.roundRect(left - 1.5, top - 1.5, cell * width + 3, cell * height + 3, 4);
  pen.fill();
  const gap = Math.max(0.5, cell * 0.04);
  pen.font = `600 ${cell * (board.length > 10 ? 0.5 : 0.6)}px ${colours.serif}`;
  for (const isHome of [true, false]) {
    pen.fillStyle = isHome ? colours.home : colours.away;
    pen.beginPath();
    board.forEach((tile, cellIndex) => {
      if (!tile || (tile === goal[cellIndex]) !== isHome) return;
      pen.roundRect(left + (cellIndex % width) * cell + gap, top + Math.floor(cellIndex / width) * cell + gap, cell - 2 * gap, cell - 2 * gap, cell * 0.12);
    });
    pen.fill();
    pen.fillStyle = isHome ? colours.homeInk : colours.awayInk;
    board.forEach((tile, cellIndex) => {
      if (!tile || (tile === goal[cellIndex]) !== isHome) return;
      pen.fillText(tile, left + (cellIndex % width) * cell + cell / 2, top + Math.floor(cellIndex / width) * cell + cell * 0.54);
    });
  }
}

// Draws the nodes of the tree: with increasing scale as a dot, a symbol with its f, or its board.
//
// Each kind has its own shape: a disc was expanded, a ring is in the frontier, a diamond was reached by a
// cheaper path, a small ring with = is a duplicate, a ring with a cross was pruned, a ring with a dash was not allowed.

const MIN_TEXT_RADIUS = 7.5; // radius in pixels from which a number is readable
const MAX_RADIUS = 15;
const MIN_BOARD_SCALE = 0.82;
const BOARD_SIZE = 50;
const MAX_BOARD_CELLS = 25;
const FAINT_ALPHA = 0.5;

export class NodeGlyphs {
  /**
   * @param {number} width of a board; `goal` is given row by row
   * @param {boolean} isInformed whether the search has a heuristic; otherwise nodes show only their depth
   * @param {number | null} weight of h in weighted A*
   */
  constructor(width, goal, isInformed, weight) {
    this.width = width;
    this.goal = goal;
    this.isInformed = isInformed;
    this.weight = weight;
  }

  setColours(colours) {
    this.colours = colours;
  }

  /** Return the radius of a symbol at a scale, in pixels. */
  radius(scale) {
    return Math.max(1.6, Math.min(MAX_RADIUS, 27 * scale));
  }

  showsBoards(scale) {
    return scale >= MIN_BOARD_SCALE && this.goal.length <= MAX_BOARD_CELLS;
  }

  /** Return half the size of a node, for lines that end at it. */
  halfSize(scale) {
    return this.showsBoards(scale) ? (BOARD_SIZE / 2) * scale + 3 : this.radius(scale);
  }

  draw(pen, node, kind, { x, y, scale, isNew, isSelected }) {
    if (this.showsBoards(scale)) this.#drawBoard(pen, node, kind, x, y, scale, isNew);
    else this.#drawSymbol(pen, node, kind, x, y, scale, isNew);
    if (node.onPath && this.pathShown) this.#drawRing(pen, x, y, scale, 3, this.colours.bright, []);
    if (isSelected) this.#drawRing(pen, x, y, scale, 6, this.colours.ink, [3, 3]);
  }

  #drawRing(pen, x, y, scale, margin, colour, dashes) {
    const half = this.halfSize(scale) + margin;
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5;
    pen.setLineDash(dashes);
    pen.beginPath();
    if (this.showsBoards(scale)) pen.roundRect(x - half, y - half, 2 * half, 2 * half, 7);
    else pen.arc(x, y, half, 0, 2 * Math.PI);
    pen.stroke();
    pen.setLineDash([]);
  }

  #drawSymbol(pen, node, kind, x, y, scale, isNew) {
    const { colours } = this;
    const isReadable = this.radius(scale) >= MIN_TEXT_RADIUS;
    const isMinor = kind === "duplicate" || kind === "cut" || kind === "forbidden";
    const radius = this.radius(scale) * (isMinor ? 0.62 : kind === "current" ? 1.15 : 1);
    const stroke = { duplicate: colours.lineStrong, cut: colours.brick, forbidden: colours.brick, current: colours.ink }[kind] ?? colours.cobalt;
    pen.globalAlpha = isMinor && !isNew ? FAINT_ALPHA : 1;
    pen.fillStyle = { expanded: colours.cobalt, current: colours.bright }[kind] ?? colours.surface;
    pen.strokeStyle = stroke;
    pen.lineWidth = isNew || kind === "current" ? 2.5 : Math.min(1.5, Math.max(0.8, radius / 4));
    pen.beginPath();
    if (node.outcome === "cheaper" && kind !== "current") traceDiamond(pen, x, y, radius * 1.2);
    else pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    if (isReadable) {
      pen.fillStyle = { expanded: colours.onCobalt, current: "#14213d", cut: colours.brick, forbidden: colours.brick, duplicate: colours.soft }[kind] ?? colours.cobalt;
      const text = { duplicate: "=", cut: "×", forbidden: "–" }[kind] ?? formatNumber(node.f ?? node.g);
      pen.font = `600 ${radius * (text.length > 2 ? 0.72 : "×=–".includes(text) ? 1.5 : 0.95)}px ${colours.sans}`;
      pen.fillText(text, x, y + 0.5);
    }
    pen.globalAlpha = 1;
  }

  #drawBoard(pen, node, kind, x, y, scale, isNew) {
    const { colours } = this;
    const size = BOARD_SIZE * scale;
    const half = size / 2 + 2.5;
    const isMinor = kind === "duplicate" || kind === "cut" || kind === "forbidden";
    pen.globalAlpha = isMinor ? (isNew ? 0.7 : 0.4) : 1;
    paintBoard(pen, node.board, this.width, this.goal, colours, x, y, size);
    pen.globalAlpha = 1;
    const edge = { current: colours.bright, expanded: colours.cobalt, cut: colours.brick, forbidden: colours.brick, duplicate: colours.lineStrong }[kind] ?? colours.cobalt;
    pen.strokeStyle = edge;
    pen.lineWidth = kind === "current" ? 4 : kind === "expanded" ? 3 : 2;
    pen.setLineDash(isMinor || kind === "waiting" || kind === "cheaper" ? [4, 3] : []);
    pen.beginPath();
    pen.roundRect(x - half, y - half, 2 * half, 2 * half, 6);
    pen.stroke();
    pen.setLineDash([]);
    this.#drawCaption(pen, node, kind, x, y + half + 9 * Math.min(1.2, scale), scale);
    const badge = { duplicate: "=", cheaper: "<", cut: "×", forbidden: "–" }[node.outcome];
    if (badge) this.#drawBadge(pen, badge, edge, x + half - 2, y - half + 2, 8 * Math.min(1.3, scale));
  }

  #drawCaption(pen, node, kind, x, y, scale) {
    const { colours } = this;
    if (node.f === null || node.f === undefined) return;
    const sum = () => `${formatNumber(node.g)} + ${formatEstimate(node.h, this.weight)} = ${formatNumber(node.f)}`;
    const text = this.isInformed ? sum() : formatNumber(node.g);
    const size = this.weight === null ? 10 : 8; // with a weight, sums would overlap
    pen.font = `${kind === "current" ? 700 : 500} ${size * Math.min(1.4, scale)}px ${colours.sans}`;
    pen.strokeStyle = colours.surface;
    pen.lineWidth = 3;
    pen.fillStyle = kind === "current" ? colours.ink : colours.soft;
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }

  #drawBadge(pen, text, colour, x, y, radius) {
    pen.fillStyle = this.colours.surface;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.fillStyle = colour;
    pen.font = `700 ${radius * 1.5}px ${this.colours.sans}`;
    pen.fillText(text, x, y + 0.5);
  }
}

function traceDiamond(pen, x, y, radius) {
  pen.moveTo(x, y - radius);
  pen.lineTo(x + radius, y);
  pen.lineTo(x, y + radius);
  pen.lineTo(x - radius, y);
  pen.closePath();
}

// The lines from nodes to their children: thin; stronger below the expanded node; thick along the
// solution; dashed where the solution jumps from tree to tree. Neighbours without recorded parents, possibly
// hundreds, share one dotted line.

const RAIL_PX = 12;

/**
 * @param {{locate: (node: object) => number[], current: object, solution: object[], halfSize: number,
 *          colours: object, width: number, height: number}} view
 */
function paintLines(pen, nodes, { locate, current, solution, halfSize, colours, width, height }) {
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

const MARGIN = 40; // px beyond the edges within which nodes are still painted

/**
 * @param {{shownNodes: object[], tree: object, glyphs: object, position: number, current: object | null,
 *          selectedNode: object | null, over: boolean}} view
 * @param {{locate: (node: object) => number[], scale: number, width: number, height: number}} frame
 */
export function paintTree(pen, { shownNodes, tree, glyphs, position, current, selectedNode, over }, { locate, scale, width, height }) {
  pen.textAlign = "center";
  pen.textBaseline = "middle";
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
