// Reads boards from the page, chooses how to draw them, and describes them for screen readers.

import { CanvasBoard } from "./canvas_board.js";
import { MAX_SIDE, TileBoard } from "./tile_board.js";

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

/**
 * Describe a board: row by row if it is small, otherwise by the number of tiles in place.
 * @param {object} texts templates `board_rows` and `board_home` with {size}, {rows}, {home}, {tiles}
 */
export function describeBoard(cells, width, goal, texts) {
  const height = cells.length / width;
  const size = `${width}×${height}`;
  if (Math.max(width, height) <= 10) {
    const rows = [];
    for (let row = 0; row < height; row += 1) {
      const tiles = Array.from(cells.slice(row * width, (row + 1) * width), (tile) => tile || texts.blank);
      rows.push(tiles.join(" "));
    }
    return fill(texts.board_rows, { size, rows: rows.join("; ") });
  }
  let tilesInPlace = 0;
  for (let cell = 0; cell < cells.length; cell += 1) {
    if (cells[cell] !== 0 && cells[cell] === goal[cell]) tilesInPlace += 1;
  }
  return fill(texts.board_home, { size, home: tilesInPlace, tiles: cells.length - 1 });
}

/** Replace the {names} in a template with values. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (placeholder, name) => (name in values ? String(values[name]) : placeholder));
}
