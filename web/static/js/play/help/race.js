// A race: the best known solution plays next to the visitor's board, one move for each of the visitor's; or
// the visitor's last game plays at the speed at which it was played.

import { describeBoard, fill } from "../../board/board.js";
import { TimedPlayback } from "../../board/playback.js";
import { Game, LETTERS } from "../game/game.js";
import { BoardView } from "../view/board_view.js";
import { requestBestSolution, RequestRejected } from "./requests.js";

export class Race {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/game.js").Session} session
   * @param {object} texts
   * @param {() => boolean} isSecret whether the solution is still secret
   */
  constructor(root, session, texts, isSecret) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.texts = texts;
    this.isSecret = isSecret;
    this.isOn = false;
    this.best = null;
    this.lastGame = null; // the slides of the visitor's own game to race against
    this.request = new AbortController();
    this.view = new BoardView(this.part("race-board"));
    this.part("race").addEventListener("click", () => this.#toggle());
    session.addEventListener("started", () => this.#startRace());
    session.addEventListener("moved", () => this.#followMove());
  }

  #toggle() {
    this.isOn = !this.isOn;
    this.part("race").setAttribute("aria-pressed", String(this.isOn));
    this.#startRace();
  }

  /** Play the same board again, against the game that has just ended. */
  challenge() {
    const { history } = this.session.game;
    this.lastGame = history;
    this.session.restart();
  }

  #startRace() {
    this.part("race").disabled = this.isSecret();
    this.request.abort();
    this.playback?.stop();
    this.playback = null;
    this.best = null;
    const isShown = this.lastGame !== null || (this.isOn && !this.isSecret());
    this.part("race-box").hidden = !isShown;
    this.part("boards").classList.toggle("play-race", isShown);
    if (!isShown) return;
    const { start, width, goal } = this.session.game;
    this.opponent = new Game(start, width, goal);
    this.view.show(this.opponent);
    if (this.lastGame) this.#prepareLastGame(this.lastGame);
    else this.#prepareBestSolution();
    this.lastGame = null;
  }

  /** Prepare to replay the visitor's last game from the first move of the new game. */
  #prepareLastGame(history) {
    const { opponent } = this;
    const show = (count) => {
      for (const { move, count: tiles, time } of history.slice(opponent.slides, count)) opponent.slide(move, tiles, time);
      this.view.draw(opponent);
      const text = fill(this.texts.race_last_game, { move: opponent.slides, moves: history.length });
      this.part("race-board").setAttribute("aria-label", text);
      this.#showText(text);
    };
    this.playback = new TimedPlayback(history.map(({ time }) => time), show);
    show(0);
  }

  /** Request the best solution of the first board and catch up with the visitor's moves. */
  async #prepareBestSolution() {
    const { start, width, goal } = this.session.game;
    this.request = new AbortController();
    const { signal } = this.request;
    this.#showText(this.texts.looking);
    try {
      const best = await requestBestSolution(start, width, goal, signal);
      if (signal.aborted) return;
      if (!best) return this.#showText(this.texts.no_way);
      this.best = best;
      this.session.helped = true;
      this.#followMove();
    } catch (error) {
      if (!signal.aborted) this.#showText(error instanceof RequestRejected ? error.message : this.texts.no_service);
    }
  }

  #followMove() {
    this.part("race").disabled = this.isSecret();
    if (this.playback && !this.playback.isRunning && this.session.game.slides === 1) this.playback.start();
    if (!this.best || this.part("race-box").hidden) return;
    const { moves, optimal } = this.best;
    const target = Math.min(this.session.game.moves, moves.length);
    while (this.opponent.moves < target) this.opponent.slide(LETTERS.indexOf(moves[this.opponent.moves]), 1, 0);
    while (this.opponent.moves > target) this.opponent.undo();
    this.view.draw(this.opponent);
    const { cells, width, goal } = this.opponent;
    this.part("race-board").setAttribute("aria-label", describeBoard(cells, width, goal, this.texts));
    this.#showText(fill(optimal ? this.texts.race_optimal : this.texts.race_known, { move: target, moves: moves.length }));
  }

  #showText(text) {
    this.part("race-text").textContent = text;
  }
}
