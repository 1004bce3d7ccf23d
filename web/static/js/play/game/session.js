// One game from start to end: moves, clock, and whether help was used. It dispatches the events
// `started` for a new board, `moved` for any change of the tiles, and `solved` at the end.

import { Clock } from "./clock.js";
import { Game } from "./game.js";

const MAX_STORED_SLIDES = 20_000; // longer games are not restored after a reload

/**
 * @typedef {{kind: string, date?: string}} Origin
 * Where a board comes from: a scramble's difficulty, `given`, or `daily` with its date.
 */

export class Session extends EventTarget {
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
