// A game without its page: the board, the way so far, and what was undone.
//
// A slide moves the tiles between the blank and some cell of its row or column at once. It is one
// slide and as many moves as tiles. Undoing takes both counts back.

import { blankSteps } from "../../board/moves.js";

export const LETTERS = "UDLR";

/**
 * @typedef {{move: number, count: number, time: number}} Slide
 * A move's code, how many tiles at once, and when: milliseconds since the first move.
 */

export class Game {
  /**
   * @param {ArrayLike<number>} start tiles row by row, 0 for the blank
   * @param {number} width
   * @param {ArrayLike<number>} goal
   */
  constructor(start, width, goal) {
    this.start = Uint16Array.from(start);
    this.goal = Uint16Array.from(goal);
    this.width = width;
    this.height = start.length / width;
    this.steps = blankSteps(width);
    this.restart();
  }

  restart() {
    this.cells = this.start.slice();
    this.blank = this.cells.indexOf(0);
    /** @type {Slide[]} */
    this.way = [];
    /** @type {Slide[]} */
    this.undone = [];
  }

  /** Single tiles moved. */
  get moves() {
    return this.way.reduce((sum, slide) => sum + slide.count, 0);
  }

  get slides() {
    return this.way.length;
  }

  get solved() {
    return this.cells.every((tile, cell) => tile === this.goal[cell]);
  }

  /** One letter for each move, named by the way its tile goes. */
  get letters() {
    return this.way.map(({ move, count }) => LETTERS[move].repeat(count)).join("");
  }

  /** When each move was made, in milliseconds since the first. */
  get times() {
    return this.way.flatMap(({ count, time }) => new Array(count).fill(time));
  }

  /** How many tiles could go one way at once. */
  room(move) {
    const row = Math.floor(this.blank / this.width);
    const column = this.blank % this.width;
    return [this.height - 1 - row, row, this.width - 1 - column, column][move];
  }

  /** The slide that brings the blank to a cell; null where they share no row and no column. */
  slideTo(cell) {
    const { blank, width } = this;
    if (cell === blank) return null;
    const down = Math.floor(cell / width) - Math.floor(blank / width);
    const across = (cell % width) - (blank % width);
    if (down !== 0 && across !== 0) return null;
    const move = down > 0 ? 0 : down < 0 ? 1 : across > 0 ? 2 : 3;
    return { move, count: Math.abs(down + across) };
  }

  /** The tiles that a slide would move, the one beside the blank first. */
  tilesOf({ move, count }) {
    return Array.from({ length: count }, (_, place) => this.cells[this.blank + this.steps[move] * (place + 1)]);
  }

  /** Move as many tiles as asked for, or as there are; false where there is none. */
  slide(move, count, time) {
    const possible = Math.min(count, this.room(move));
    if (possible <= 0) return false;
    this.#shift(move, possible);
    this.way.push({ move, count: possible, time });
    this.undone = [];
    return true;
  }

  undo() {
    const last = this.way.pop();
    if (!last) return false;
    this.#shift(last.move ^ 1, last.count);
    this.undone.push(last);
    return true;
  }

  redo(time) {
    const next = this.undone.pop();
    if (!next) return false;
    this.#shift(next.move, next.count);
    this.way.push({ ...next, time });
    return true;
  }

  #shift(move, count) {
    const step = this.steps[move];
    for (let place = 0; place < count; place += 1) {
      this.cells[this.blank] = this.cells[this.blank + step];
      this.blank += step;
    }
    this.cells[this.blank] = 0;
  }
}
