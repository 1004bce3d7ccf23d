// Hints: shows the best next move or plays the whole solution, unless the board is secret.

import { fill } from "../../board/board.js";
import { formatMoves } from "../../job/formats.js";
import { LETTERS } from "../game/game.js";
import { requestHints, requestSolution, RequestRejected } from "./requests.js";

const MIN_PAUSE_MS = 15;
const MAX_PAUSE_MS = 180;
const TOTAL_PLAY_MS = 20_000;

export class Guide {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/game.js").Session} session
   * @param {import("../view/board_view.js").BoardView} view
   * @param {object} texts
   * @param {() => boolean} isSecret whether the solution is still secret
   */
  constructor(root, session, view, texts, isSecret) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.view = view;
    this.texts = texts;
    this.isSecret = isSecret;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.solution = ""; // letters of a known solution of the current board
    this.request = new AbortController();
    this.part("hint").addEventListener("click", () => this.#requestHint());
    this.part("solve").addEventListener("click", () => (this.playing ? this.stop() : this.#solve()));
    session.addEventListener("started", () => this.#reset());
    session.addEventListener("moved", () => this.#followMove());
  }

  #reset() {
    this.solution = "";
    this.stop();
    this.#clear();
    this.#showButtons();
  }

  /** Advance the known solution; forget it if the visitor makes another move. */
  #followMove() {
    const last = this.session.game.history.at(-1);
    const letters = last ? LETTERS[last.move].repeat(last.count) : "";
    const isNextMove = letters !== "" && this.solution.startsWith(letters) && this.session.game.moves === this.moveCount + letters.length;
    this.solution = isNextMove ? this.solution.slice(letters.length) : "";
    this.moveCount = this.session.game.moves;
    if (this.playing && !this.isAutomaticMove) this.stop();
    this.#clear();
    this.#showButtons();
  }

  #clear() {
    this.request.abort();
    this.request = new AbortController();
    this.view.highlight(null);
    this.part("advice").hidden = true;
  }

  #showButtons() {
    const isDisabled = this.session.ended || this.isSecret();
    this.part("hint").disabled = isDisabled;
    this.part("solve").disabled = isDisabled;
    this.part("secret").hidden = !(this.isSecret() && !this.session.ended);
  }

  #showAdvice(text) {
    this.part("advice").textContent = text;
    this.part("advice").hidden = false;
  }

  async #requestHint() {
    this.stop();
    this.#clear();
    if (this.isOptimal && this.solution) return this.#showHint(this.solution, this.solution.length, true);
    const { signal } = this.request;
    const { game } = this.session;
    this.#showAdvice(this.texts.looking);
    return this.#handleErrors(signal, async () => {
      let isFound = false;
      for await (const { moves, upper_bound: upper, lower_bound: lower, optimal } of requestHints(game.cells, game.width, game.goal, signal)) {
        if (signal.aborted) return;
        isFound ||= Boolean(moves);
        if (moves) this.#showHint(moves, upper, optimal);
        else this.#showAdvice(fill(this.texts.at_least, { moves: formatMoves(lower, this.texts, this.numbers) }));
      }
      if (!isFound) this.#showAdvice(this.texts.no_way);
    });
  }

  #showHint(moves, count, isProven) {
    const { game } = this.session;
    const move = LETTERS.indexOf(moves[0]);
    const [tile] = game.listTiles({ move, count: 1 });
    this.#setSolution(moves, isProven);
    this.view.highlight(tile);
    const values = { tile, direction: this.texts.directions[move], moves: formatMoves(count, this.texts, this.numbers) };
    this.#showAdvice(fill(isProven ? this.texts.hint_proved : this.texts.hint_about, values));
  }

  #setSolution(moves, isProven) {
    this.session.helped = true;
    this.solution = moves;
    this.isOptimal = isProven;
    this.moveCount = this.session.game.moves;
  }

  async #solve() {
    this.#clear();
    const { signal } = this.request;
    const { game } = this.session;
    this.#showAdvice(this.texts.looking);
    await this.#handleErrors(signal, async () => {
      if (!this.solution) {
        const hint = await requestSolution(game.cells, game.width, game.goal, signal);
        if (signal.aborted) return;
        if (!hint) return this.#showAdvice(this.texts.no_way);
        this.#setSolution(hint.moves, hint.optimal);
      }
      this.part("advice").hidden = true;
      this.#play();
    });
  }

  /** Play the known solution, one tile after the other. */
  #play() {
    const pause = Math.max(MIN_PAUSE_MS, Math.min(MAX_PAUSE_MS, TOTAL_PLAY_MS / this.solution.length));
    this.session.helped = true;
    this.playing = setInterval(() => {
      if (!this.solution) return this.stop();
      this.isAutomaticMove = true;
      this.session.slide(LETTERS.indexOf(this.solution[0]));
      this.isAutomaticMove = false;
    }, pause);
    this.part("solve").textContent = this.texts.stop;
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.part("solve").textContent = this.texts.solve;
  }

  async #handleErrors(signal, action) {
    try {
      await action();
    } catch (error) {
      if (signal.aborted) return;
      this.#showAdvice(error instanceof RequestRejected ? error.message : this.texts.no_service);
    }
  }
}
