// A race: the shortest way known plays beside one's own board, a move for each of one's moves.

import { describe, fill } from "../../board/make_board.js";
import { Game, LETTERS } from "../game/game.js";
import { BoardView } from "../view/board_view.js";
import { bestKnown, Refused } from "./ask.js";

export class Race {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {object} words
   * @param {() => boolean} isSecret whether the way is not to be told yet
   */
  constructor(root, session, words, isSecret) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.words = words;
    this.isSecret = isSecret;
    this.on = false;
    this.best = null;
    this.asking = new AbortController();
    this.view = new BoardView(this.part("race-board"));
    this.part("race").addEventListener("click", () => this.#toggle());
    session.addEventListener("begun", () => this.#begin());
    session.addEventListener("moved", () => this.#follow());
  }

  #toggle() {
    this.on = !this.on;
    this.part("race").setAttribute("aria-pressed", String(this.on));
    this.#begin();
  }

  #begin() {
    this.part("race").disabled = this.isSecret();
    this.asking.abort();
    const shown = this.on && !this.isSecret();
    this.part("race-box").hidden = !shown;
    this.part("boards").classList.toggle("play-race", shown);
    if (shown) this.#prepare();
  }

  /** Find the way from the first board, and bring the other board to where one's own is. */
  async #prepare() {
    const { start, width, goal } = this.session.game;
    this.other = new Game(start, width, goal);
    this.best = null;
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.view.show(this.other);
    this.#say(this.words.looking);
    try {
      const best = await bestKnown(start, width, goal, signal);
      if (signal.aborted) return;
      if (!best) return this.#say(this.words.no_way);
      this.best = best;
      this.session.helped = true;
      this.#follow();
    } catch (error) {
      if (!signal.aborted) this.#say(error instanceof Refused ? error.message : this.words.no_service);
    }
  }

  #follow() {
    this.part("race").disabled = this.isSecret();
    if (!this.best || this.part("race-box").hidden) return;
    const { moves, optimal } = this.best;
    const wanted = Math.min(this.session.game.moves, moves.length);
    while (this.other.moves < wanted) this.other.slide(LETTERS.indexOf(moves[this.other.moves]), 1, 0);
    while (this.other.moves > wanted) this.other.undo();
    this.view.draw(this.other);
    const { cells, width, goal } = this.other;
    this.part("race-board").setAttribute("aria-label", describe(cells, width, goal, this.words));
    this.#say(fill(optimal ? this.words.race_optimal : this.words.race_known, { move: wanted, moves: moves.length }));
  }

  #say(words) {
    this.part("race-text").textContent = words;
  }
}
