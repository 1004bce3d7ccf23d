// Draws the nodes of the tree: with increasing scale as a dot, a symbol with its f, or its board.
//
// Each kind has its own shape: a disc was expanded, a ring is in the frontier, a diamond was reached by a
// cheaper path, a small ring with = is a duplicate, a ring with a cross was pruned, a ring with a dash was not allowed.

import { formatEstimate } from "./search_tree.js";
import { paintBoard } from "./small_board.js";

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
  constructor(width, goal, numbers, isInformed, weight) {
    this.width = width;
    this.goal = goal;
    this.numbers = numbers;
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
      const text = { duplicate: "=", cut: "×", forbidden: "–" }[kind] ?? this.numbers.format(node.f ?? node.g);
      pen.font = `600 ${radius * (text.length > 2 ? 0.72 : "×=–".includes(text) ? 1.5 : 0.95)}px ${colours.sans}`;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
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
    const { colours, numbers } = this;
    if (node.f === null || node.f === undefined) return;
    const sum = () => `${numbers.format(node.g)} + ${formatEstimate(node.h, this.weight, numbers)} = ${numbers.format(node.f)}`;
    const text = this.isInformed ? sum() : numbers.format(node.g);
    const size = this.weight === null ? 10 : 8; // with a weight, sums would overlap
    pen.font = `${kind === "current" ? 700 : 500} ${size * Math.min(1.4, scale)}px ${colours.sans}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
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
    pen.textAlign = "center";
    pen.textBaseline = "middle";
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
