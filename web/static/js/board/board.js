// Reads, formats and describes boards, and chooses how to draw them.

import { CanvasBoard } from "./canvas_board.js";
import { gettext } from "../texts.js";
import { make } from "../elements.js";

/** Format a board for a form: one row per line, aligned, with the size first if it is not square. */
export function formatBoard(tiles, width) {
  const digits = String(tiles.length - 1).length;
  const lines = [];
  for (let start = 0; start < tiles.length; start += width) {
    lines.push(Array.from(tiles.slice(start, start + width), (tile) => String(tile).padStart(digits)).join(" "));
  }
  const height = tiles.length / width;
  return (width === height ? lines : [`${width}x${height}:`, ...lines]).join("\n");
}

/** Format a board on one line, for URLs and the API. */
export function formatBoardLine(tiles, width) {
  const height = tiles.length / width;
  return (width === height ? "" : `${width}x${height}: `) + tiles.join(" ");
}

// A board with one element per tile, for boards whose numbers are readable.

export const MAX_SIDE = 12;

/** Set the CSS size of a device pixel, because cells are a whole number of device pixels. */
function setPixelSize() {
  document.documentElement.style.setProperty("--pixel", `${1 / devicePixelRatio}px`);
}

setPixelSize();
addEventListener("resize", setPixelSize); // also fires when the page is zoomed

/** Create a tile as a `div`, or as a `button` if it can be edited. */
export function makeTile(element, text = "") {
  const face = make("span", { className: "tile-face" }, make("span", { className: "tile-text" }, String(text)));
  return make(element, { className: "tile", ...(element === "button" && { type: "button" }) }, face);
}

export class TileBoard {
  /**
   * @param {HTMLElement} host an element with the class `board`; its content is replaced
   * @param {ArrayLike<number>} goal tiles row by row
   * @param {string} element `div`, or `button` for a board that can be edited
   */
  constructor(host, width, height, goal, element = "div") {
    this.host = host;
    this.width = width;
    this.height = height;
    this.goalCells = new Map(Array.from(goal, (tile, cell) => [tile, cell]));
    this.drawnCells = new Map();
    this.tilesAtHome = new Set();
    this.tiles = new Map();
    host.style.setProperty("--columns", width);
    host.style.setProperty("--rows", height);
    host.style.setProperty("--glyph", width * height > 100 ? 0.34 : 0.4);
    this.field = make("div", { className: "board-field" });
    for (const tile of [...this.goalCells.keys()].sort((a, b) => a - b)) {
      if (tile === 0 && element === "div") continue;
      this.field.append(this.#makeTile(tile, element));
    }
    host.replaceChildren(this.field);
  }

  #makeTile(number, element) {
    const tile = makeTile(element, number || "");
    tile.classList.toggle("tile-blank", number === 0);
    tile.dataset.tile = number;
    this.tiles.set(number, tile);
    return tile;
  }

  /**
   * Show these cells; only tiles that have moved are updated. With `jump` they do not slide.
   * A slide that solves the board starts an animation.
   */
  draw(cells, jump = false) {
    const isFirst = this.drawnCells.size === 0;
    this.host.classList.toggle("board-jump", jump);
    for (let cell = 0; cell < cells.length; cell += 1) {
      const number = cells[cell];
      const tile = this.tiles.get(number);
      if (!tile || this.drawnCells.get(number) === cell) continue;
      this.drawnCells.set(number, cell);
      tile.style.setProperty("--column", cell % this.width);
      tile.style.setProperty("--row", Math.floor(cell / this.width));
      const isHome = number !== 0 && this.goalCells.get(number) === cell;
      tile.classList.toggle("tile-home", isHome);
      if (isHome) this.tilesAtHome.add(number);
      else this.tilesAtHome.delete(number);
    }
    const isSolved = this.tilesAtHome.size === this.goalCells.size - 1;
    this.host.classList.toggle("board-solved", isSolved && !jump && !isFirst);
  }
}

/** Parse the tiles in an attribute of the page: numbers separated by spaces, row by row. */
export function readTiles(text) {
  return Uint32Array.from(text.split(" "), Number);
}

/** Parse the goal in an attribute of the page: its tiles, or the name of the default goal. */
export function readGoal(text, cells) {
  if (text !== "blank-last") return readTiles(text);
  return Uint32Array.from({ length: cells }, (_, cell) => (cell + 1) % cells);
}

/** Create a board of numbered tiles, or a canvas if the numbers would be unreadable. */
export function makeBoard(host, width, height, goal) {
  const isReadable = Math.max(width, height) <= MAX_SIDE;
  return new (isReadable ? TileBoard : CanvasBoard)(host, width, height, goal);
}

/** Describe a board: row by row if it is small, otherwise by the number of tiles in place. */
export function describeBoard(cells, width, goal) {
  const height = cells.length / width;
  const size = `${width}×${height}`;
  if (Math.max(width, height) <= 10) {
    const rows = [];
    for (let row = 0; row < height; row += 1) {
      const tiles = Array.from(cells.slice(row * width, (row + 1) * width), (tile) => tile || gettext("blank"));
      rows.push(tiles.join(" "));
    }
    return gettext("{size} board, row by row: {rows}", { size, rows: rows.join("; ") });
  }
  let tilesInPlace = 0;
  for (let cell = 0; cell < cells.length; cell += 1) {
    if (cells[cell] !== 0 && cells[cell] === goal[cell]) tilesInPlace += 1;
  }
  return gettext("{size} board: {home} of {tiles} tiles in place", { size, home: tilesInPlace, tiles: cells.length - 1 });
}
