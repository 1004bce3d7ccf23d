// Moves, slides and time above the board, and what a screen reader is told.

import { describe, fill } from "../../board/make_board.js";
import { clockText } from "./time_text.js";

const TICK_MS = 100;
const QUIET_MS = 400;

export class Figures {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {object} words
   * @param {() => boolean} isBlind whether the numbers are hidden, from screen readers too
   */
  constructor(root, session, words, isBlind) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.words = words;
    this.isBlind = isBlind;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    session.addEventListener("begun", () => this.show());
    session.addEventListener("moved", () => this.show());
  }

  show() {
    const { game, clock, ended } = this.session;
    this.part("moves").textContent = this.numbers.format(game.moves);
    this.part("slides").textContent = this.numbers.format(game.slides);
    this.part("undo").disabled = ended || game.way.length === 0;
    this.part("redo").disabled = ended || game.undone.length === 0;
    this.part("restart").disabled = game.way.length + game.undone.length === 0;
    this.#showTime();
    clearInterval(this.ticking);
    if (clock.running) this.ticking = setInterval(() => this.#showTime(), TICK_MS);
    this.#tellSoon();
  }

  #showTime() {
    this.part("time").textContent = clockText(this.session.clock.ms);
  }

  /** Put the board in words once nothing has moved for a moment. */
  #tellSoon() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const { game } = this.session;
      const host = this.part("board");
      const words = this.isBlind() ? this.words.board_hidden : describe(game.cells, game.width, game.goal, this.words);
      host.setAttribute("aria-label", words);
      this.part("spoken").textContent = this.#lastMove();
    }, QUIET_MS);
  }

  #lastMove() {
    const { game } = this.session;
    const last = game.way.at(-1);
    if (!last) return "";
    const tile = game.cells[game.blank - game.steps[last.move]];
    const direction = this.words.directions[last.move];
    const values = { direction, count: last.count, moves: this.numbers.format(game.moves), tile };
    if (this.isBlind()) return fill(this.words.moved_hidden, values);
    return fill(last.count > 1 ? this.words.moved_many : this.words.moved_one, values);
  }
}
