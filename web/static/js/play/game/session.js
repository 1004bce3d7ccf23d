// One game from its board to its end: moves, clock, who helped. It tells of what happens by events:
// `begun` for another board, `moved` for any change of the tiles, `solved` once at the end.

import { Clock } from "./clock.js";
import { Game } from "./game.js";

const MOST_KEPT_SLIDES = 20_000; // a longer way is played on, but not kept over a reload

/**
 * @typedef {{kind: string, date?: string}} Origin
 * Where a board comes from: the difficulty it was scrambled for, `given` or `daily` with its date.
 */

export class Session extends EventTarget {
  /** Begin with a board; `origin` is kept with the game. */
  begin(start, width, goal, origin) {
    this.game = new Game(start, width, goal);
    this.origin = origin;
    this.#reset();
    this.#tell("begun");
  }

  #reset() {
    this.clock = new Clock();
    this.helped = false; // a way that was shown counts for no record
    this.ended = this.game.solved;
  }

  restart() {
    this.game.restart();
    const { helped } = this;
    this.#reset();
    this.helped = helped; // what was shown is still known
    this.#tell("begun");
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

  /** The end is the end: afterwards nothing moves until another game begins. */
  #change(act) {
    if (this.ended || !act()) return false;
    this.ended = this.game.solved;
    if (this.ended) this.clock.stop();
    else this.clock.start(); // after the act, so that the first move's time is 0
    this.#tell("moved");
    if (this.ended) this.#tell("solved");
    return true;
  }

  #tell(kind) {
    this.dispatchEvent(new Event(kind));
  }

  /** All that a reload needs, as plain values. */
  toJSON() {
    const { game, origin, helped, clock } = this;
    const kept = game.slides <= MOST_KEPT_SLIDES;
    const plain = (slides) => (kept ? slides.map(({ move, count, time }) => [move, count, time]) : []);
    return {
      start: [...game.start],
      width: game.width,
      goal: [...game.goal],
      origin,
      helped,
      ms: kept ? clock.ms : 0,
      way: plain(game.way),
      undone: plain(game.undone),
    };
  }

  /** Go on with a game that was kept; the clock stands until the next move. */
  resume({ start, width, goal, origin, helped, ms, way, undone }) {
    this.game = new Game(start, width, goal);
    for (const [move, count, time] of way) this.game.slide(move, count, time);
    this.game.undone = undone.map(([move, count, time]) => ({ move, count, time }));
    this.origin = origin;
    this.clock = new Clock(ms);
    this.helped = helped;
    this.ended = this.game.solved;
    this.#tell("begun");
  }
}
