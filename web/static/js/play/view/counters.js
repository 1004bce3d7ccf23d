// The moves, slides and time above the board, and the announcements for screen readers.

import { describeBoard, fill } from "../../board/board_rendering.js";
import { formatClock } from "./clock_format.js";

const TICK_MS = 100;
const ANNOUNCE_DELAY_MS = 400;

export class Counters {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {object} texts
   * @param {() => boolean} isBlind whether the numbers are hidden, also from screen readers
   */
  constructor(root, session, texts, isBlind) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.texts = texts;
    this.isBlind = isBlind;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    session.addEventListener("started", () => this.show());
    session.addEventListener("moved", () => this.show());
  }

  show() {
    const { game, clock, ended } = this.session;
    this.showGame(game, clock.ms);
    this.part("undo").disabled = ended || game.history.length === 0;
    this.part("redo").disabled = ended || game.undone.length === 0;
    this.part("restart").disabled = game.history.length + game.undone.length === 0;
    clearInterval(this.ticking);
    if (clock.isRunning) this.ticking = setInterval(() => this.showGame(game, clock.ms), TICK_MS);
    this.#announceSoon();
  }

  /** Show the figures of a game at a time. */
  showGame(game, ms) {
    this.part("moves").textContent = this.numbers.format(game.moves);
    this.part("slides").textContent = this.numbers.format(game.slides);
    this.part("time").textContent = formatClock(ms);
  }

  /** Describe the board to screen readers once nothing has moved for a moment. */
  #announceSoon() {
    clearTimeout(this.announceTimer);
    this.announceTimer = setTimeout(() => {
      const { game } = this.session;
      const host = this.part("board");
      const description = this.isBlind() ? this.texts.board_hidden : describeBoard(game.cells, game.width, game.goal, this.texts);
      host.setAttribute("aria-label", description);
      this.part("announcement").textContent = this.#describeLastMove();
    }, ANNOUNCE_DELAY_MS);
  }

  #describeLastMove() {
    const { game } = this.session;
    const last = game.history.at(-1);
    if (!last) return "";
    const tile = game.cells[game.blank - game.steps[last.move]];
    const direction = this.texts.directions[last.move];
    const values = { direction, count: last.count, moves: this.numbers.format(game.moves), tile };
    if (this.isBlind()) return fill(this.texts.moved_hidden, values);
    return fill(last.count > 1 ? this.texts.moved_many : this.texts.moved_one, values);
  }
}
