// Hints: shows the best next move or plays the whole solution, unless the board is secret.

import { fill } from "../../board/board_rendering.js";
import { formatMoves } from "../../job/verdict.js";
import { LETTERS } from "../game/game.js";
import { requestBestSolution, requestHints, RequestRefused } from "./hint_client.js";

const FASTEST_MS = 15;
const SLOWEST_MS = 180;
const TOTAL_PLAY_MS = 20_000;

export class Guide {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {import("../view/board_view.js").BoardView} view
   * @param {object} words
   * @param {() => boolean} isSecret whether the solution is still secret
   */
  constructor(root, session, view, words, isSecret) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.view = view;
    this.words = words;
    this.isSecret = isSecret;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.solution = ""; // letters of a known solution of the current board
    this.request = new AbortController();
    this.part("hint").addEventListener("click", () => this.#hint());
    this.part("solve").addEventListener("click", () => (this.playing ? this.stop() : this.#solve()));
    session.addEventListener("begun", () => this.#reset());
    session.addEventListener("moved", () => this.#moved());
  }

  #reset() {
    this.solution = "";
    this.stop();
    this.#clear();
    this.#showButtons();
  }

  /** Advance the known solution; forget it if the visitor makes another move. */
  #moved() {
    const last = this.session.game.history.at(-1);
    const letters = last ? LETTERS[last.move].repeat(last.count) : "";
    const follows = letters !== "" && this.solution.startsWith(letters) && this.session.game.moves === this.expectedMoves + letters.length;
    this.solution = follows ? this.solution.slice(letters.length) : "";
    this.expectedMoves = this.session.game.moves;
    if (this.playing && !this.isOwnMove) this.stop();
    this.#clear();
    this.#showButtons();
  }

  #clear() {
    this.request.abort();
    this.request = new AbortController();
    this.view.point(null);
    this.part("advice").hidden = true;
  }

  #showButtons() {
    const isDisabled = this.session.ended || this.isSecret();
    this.part("hint").disabled = isDisabled;
    this.part("solve").disabled = isDisabled;
    this.part("secret").hidden = !(this.isSecret() && !this.session.ended);
  }

  #showAdvice(words) {
    this.part("advice").textContent = words;
    this.part("advice").hidden = false;
  }

  async #hint() {
    this.stop();
    this.#clear();
    if (this.isOptimal && this.solution) return this.#point(this.solution, this.solution.length, true);
    const { signal } = this.request;
    const { game } = this.session;
    this.#showAdvice(this.words.looking);
    return this.#handleErrors(signal, async () => {
      for await (const { moves, upper_bound: upper, lower_bound: lower, optimal } of requestHints(game.cells, game.width, game.goal, signal)) {
        if (signal.aborted) return;
        if (moves) this.#point(moves, upper, optimal);
        else this.#showAdvice(fill(this.words.at_least, { moves: formatMoves(lower, this.words, this.numbers) }));
      }
    });
  }

  #point(moves, count, proved) {
    const { game } = this.session;
    const move = LETTERS.indexOf(moves[0]);
    const [tile] = game.listTiles({ move, count: 1 });
    this.#setSolution(moves, proved);
    this.view.point(tile);
    const values = { tile, direction: this.words.directions[move], moves: formatMoves(count, this.words, this.numbers) };
    this.#showAdvice(fill(proved ? this.words.hint_proved : this.words.hint_about, values));
  }

  #setSolution(moves, proved) {
    this.session.helped = true;
    this.solution = moves;
    this.isOptimal = proved;
    this.expectedMoves = this.session.game.moves;
  }

  async #solve() {
    this.#clear();
    const { signal } = this.request;
    const { game } = this.session;
    this.#showAdvice(this.words.looking);
    await this.#handleErrors(signal, async () => {
      if (!this.solution) {
        const best = await requestBestSolution(game.cells, game.width, game.goal, signal, () => true);
        if (signal.aborted) return;
        if (!best) return this.#showAdvice(this.words.no_way);
        this.#setSolution(best.moves, best.optimal);
      }
      this.part("advice").hidden = true;
      this.#play();
    });
  }

  /** Play the known solution, one tile after the other. */
  #play() {
    const pause = Math.max(FASTEST_MS, Math.min(SLOWEST_MS, TOTAL_PLAY_MS / this.solution.length));
    this.session.helped = true;
    this.playing = setInterval(() => {
      if (!this.solution) return this.stop();
      this.isOwnMove = true;
      this.session.slide(LETTERS.indexOf(this.solution[0]));
      this.isOwnMove = false;
    }, pause);
    this.part("solve").textContent = this.words.stop;
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.part("solve").textContent = this.words.solve;
  }

  async #handleErrors(signal, act) {
    try {
      await act();
    } catch (error) {
      if (signal.aborted) return;
      this.#showAdvice(error instanceof RequestRefused ? error.message : this.words.no_service);
    }
  }
}
