// Choose how a board is shown, and describe it in words for screen readers.

import { CanvasBoard } from "./canvas_board.js";
import { LARGEST_SIDE, TileBoard } from "./tile_board.js";

/** Tiles out of the page: numbers with spaces, row by row. */
export function readTiles(text) {
  return Uint32Array.from(text.split(" "), Number);
}

/** A goal out of the page: its tiles, or the name of the goal that needs none. */
export function readGoal(text, cells) {
  if (text !== "blank-last") return readTiles(text);
  return Uint32Array.from({ length: cells }, (_, cell) => (cell + 1) % cells);
}

/** Tiles with numbers where they can be read, a picture otherwise. */
export function makeBoard(host, width, height, goal) {
  const readable = Math.max(width, height) <= LARGEST_SIDE;
  return new (readable ? TileBoard : CanvasBoard)(host, width, height, goal);
}

/**
 * The board in words: row by row where it is small, else how many tiles are in place.
 * @param {object} words templates `board_rows` and `board_home` with {size}, {rows}, {home}, {tiles}
 */
export function describe(cells, width, goal, words) {
  const height = cells.length / width;
  const size = `${width}×${height}`;
  if (Math.max(width, height) <= 10) {
    const rows = [];
    for (let row = 0; row < height; row += 1) {
      const tiles = Array.from(cells.slice(row * width, (row + 1) * width), (tile) => tile || words.blank);
      rows.push(tiles.join(" "));
    }
    return fill(words.board_rows, { size, rows: rows.join("; ") });
  }
  let home = 0;
  for (let cell = 0; cell < cells.length; cell += 1) {
    if (cells[cell] !== 0 && cells[cell] === goal[cell]) home += 1;
  }
  return fill(words.board_home, { size, home, tiles: cells.length - 1 });
}

/** Put values into a template with {names}. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
