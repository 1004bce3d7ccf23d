// A game, independent of the page: the board, the slides so far, and the undone slides.
//
// A slide moves the tiles between the blank and a cell of its row or column together. It counts as one
// slide and as one move per tile. Undoing subtracts both.

import { blankSteps } from "../../board/moves.js";

export const LETTERS = "UDLR";

/**
 * @typedef {{move: number, count: number, time: number}} Slide
 * A move's code, the number of tiles, and the time in milliseconds since the first move.
 */

export class Game {
  /** @param {ArrayLike<number>} start tiles row by row, 0 for the blank */
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
    this.history = [];
    /** @type {Slide[]} */
    this.undone = [];
  }

  /** Single tiles moved. */
  get moves() {
    return this.history.reduce((sum, slide) => sum + slide.count, 0);
  }

  get slides() {
    return this.history.length;
  }

  get isSolved() {
    return this.cells.every((tile, cell) => tile === this.goal[cell]);
  }

  /** One letter per move: the direction in which the tile moves. */
  get letters() {
    return this.history.map(({ move, count }) => LETTERS[move].repeat(count)).join("");
  }

  /** The time of each move in milliseconds since the first. */
  get times() {
    return this.history.flatMap(({ count, time }) => new Array(count).fill(time));
  }

  /** Return how many tiles can move in one direction. */
  countMovable(move) {
    const row = Math.floor(this.blank / this.width);
    const column = this.blank % this.width;
    return [this.height - 1 - row, row, this.width - 1 - column, column][move];
  }

  /** Return the slide that moves the blank to a cell, or null if they share neither row nor column. */
  findSlide(cell) {
    const { blank, width } = this;
    if (cell === blank) return null;
    const down = Math.floor(cell / width) - Math.floor(blank / width);
    const across = (cell % width) - (blank % width);
    if (down !== 0 && across !== 0) return null;
    const move = down > 0 ? 0 : down < 0 ? 1 : across > 0 ? 2 : 3;
    return { move, count: Math.abs(down + across) };
  }

  /** Return the tiles that a slide moves, starting next to the blank. */
  listTiles({ move, count }) {
    return Array.from({ length: count }, (_, index) => this.cells[this.blank + this.steps[move] * (index + 1)]);
  }

  /** Move up to `count` tiles; returns false if none can move. */
  slide(move, count, time) {
    const tileCount = Math.min(count, this.countMovable(move));
    if (tileCount <= 0) return false;
    this.#shift(move, tileCount);
    this.history.push({ move, count: tileCount, time });
    this.undone = [];
    return true;
  }

  undo() {
    const last = this.history.pop();
    if (!last) return false;
    this.#shift(last.move ^ 1, last.count);
    this.undone.push(last);
    return true;
  }

  redo(time) {
    const next = this.undone.pop();
    if (!next) return false;
    this.#shift(next.move, next.count);
    this.history.push({ ...next, time });
    return true;
  }

  #shift(move, count) {
    const step = this.steps[move];
    for (let moved = 0; moved < count; moved += 1) {
      this.cells[this.blank] = this.cells[this.blank + step];
      this.blank += step;
    }
    this.cells[this.blank] = 0;
  }
}

// A stopwatch that can be paused, independent of the page.
class Clock {
  /**
   * @param {number} ms the initial time
   * @param {() => number} now returns the time of a monotonic clock in milliseconds
   */
  constructor(ms = 0, now = () => performance.now()) {
    this.elapsed = ms;
    this.now = now;
    this.startedAt = null;
  }

  get ms() {
    return Math.round(this.elapsed + (this.startedAt === null ? 0 : this.now() - this.startedAt));
  }

  get isRunning() {
    return this.startedAt !== null;
  }

  start() {
    this.startedAt ??= this.now();
  }

  stop() {
    this.elapsed = this.ms;
    this.startedAt = null;
  }
}

// One game from start to end: moves, clock, and whether help was used. It dispatches the events
// `started` for a new board, `moved` for any change of the tiles, and `solved` at the end.

const MAX_STORED_SLIDES = 20_000; // longer games are not restored after a reload

/**
 * @typedef {{kind: string, date?: string}} Origin
 * Where a board comes from: a scramble's difficulty, `given`, or `daily` with its date.
 */

export class Session extends EventTarget {
  constructor() {
    super();
    this.ended = true; // until a game begins
  }

  /** Start a game; `origin` is stored with it. */
  begin(start, width, goal, origin) {
    this.game = new Game(start, width, goal);
    this.origin = origin;
    this.#reset();
    this.#emit("started");
  }

  #reset() {
    this.clock = new Clock();
    this.helped = false; // games with help set no records
    this.ended = this.game.isSolved;
  }

  restart() {
    this.game.restart();
    const { helped } = this;
    this.#reset();
    this.helped = helped; // the visitor still knows a solution that was shown
    this.#emit("started");
  }

  slide(move, count = 1) {
    return this.#change(() => this.game.slide(move, count, this.clock.ms));
  }

  undo() {
    return this.#change(() => this.game.undo());
  }

  redo() {
    return this.#change(() => this.game.redo(this.clock.ms));
  }

  /** Change the board, unless the game has ended. */
  #change(applyChange) {
    if (this.ended || !applyChange()) return false;
    this.ended = this.game.isSolved;
    if (this.ended) this.clock.stop();
    else this.clock.start(); // after the move, so that the first move's time is 0
    this.#emit("moved");
    if (this.ended) this.#emit("solved");
    return true;
  }

  #emit(kind) {
    this.dispatchEvent(new Event(kind));
  }

  /** Return the state to restore after a reload. */
  toJSON() {
    const { game, origin, helped, ended, clock } = this;
    const isStored = game.slides <= MAX_STORED_SLIDES;
    const pack = (list) => (isStored ? list.map(({ move, count, time }) => [move, count, time]) : []);
    return {
      start: [...game.start],
      width: game.width,
      goal: [...game.goal],
      origin,
      helped,
      ended,
      ms: isStored ? clock.ms : 0,
      way: pack(game.history),
      undone: pack(game.undone),
    };
  }

  /** Resume a stored game; the clock is paused until the next move. */
  resume({ start, width, goal, origin, helped, ms, way: slides, undone }) {
    this.game = new Game(start, width, goal);
    for (const [move, count, time] of slides) this.game.slide(move, count, time);
    this.game.undone = undone.map(([move, count, time]) => ({ move, count, time }));
    this.origin = origin;
    this.clock = new Clock(ms);
    this.helped = helped;
    this.ended = this.game.isSolved;
    this.#emit("started");
  }
}
