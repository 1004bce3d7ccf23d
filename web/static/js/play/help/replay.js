// Replays the finished game on the board at the speed at which it was played.

import { Game } from "../game/game.js";

const FRAME_MS = 30;

export class Replay {
  /**
   * @param {import("../game/session.js").Session} session
   * @param {(game: Game, ms: number) => void} show called with each position and its time
   * @param {() => void} onEnd
   */
  constructor(session, show, onEnd) {
    this.session = session;
    this.show = show;
    this.onEnd = onEnd;
    session.addEventListener("begun", () => this.stop());
  }

  get isRunning() {
    return this.timer !== undefined;
  }

  start() {
    const { start, width, goal, history } = this.session.game;
    const game = new Game(start, width, goal);
    const began = performance.now();
    const step = () => {
      const elapsed = performance.now() - began;
      while (game.slides < history.length && history[game.slides].time <= elapsed) {
        const { move, count, time } = history[game.slides];
        game.slide(move, count, time);
      }
      this.show(game, elapsed);
      if (game.slides === history.length) this.stop();
    };
    this.timer = setInterval(step, FRAME_MS);
    step();
  }

  /** Stop, and show the end of the game. */
  stop() {
    if (!this.isRunning) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.onEnd();
  }
}
