// Hints: shows the best next move or plays the whole solution, unless the board is secret.

import { formatMoves } from "../../job/formats.js";
import { LETTERS } from "../game/game.js";
import { nameDirection } from "../view/counters.js";
import { requestHints, requestSolution } from "./requests.js";
import { RequestRejected } from "../../requests.js";
import { fill, gettext } from "../../texts.js";

const MIN_PAUSE_MS = 15;
const MAX_PAUSE_MS = 180;
const TOTAL_PLAY_MS = 20_000;

export class Guide {
  /** @param {() => boolean} isSecret whether the solution is still secret */
  constructor(root, session, view, isSecret) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.view = view;
    this.isSecret = isSecret;
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
    this.#showAdvice(gettext("Searching for the shortest solution …"));
    return this.#handleErrors(signal, async () => {
      let isFound = false;
      for await (const { moves, upper_bound: upper, lower_bound: lower, optimal } of requestHints(game.cells, game.width, game.goal, signal)) {
        if (signal.aborted) return;
        isFound ||= Boolean(moves);
        if (moves) this.#showHint(moves, upper, optimal);
        else this.#showAdvice(gettext("Searching … at least {moves}", { moves: formatMoves(lower) }));
      }
      if (!isFound) this.#showAdvice(gettext("No solution found yet; try again later."));
    });
  }

  #showHint(moves, count, isProven) {
    const { game } = this.session;
    const move = LETTERS.indexOf(moves[0]);
    const [tile] = game.listTiles({ move, count: 1 });
    this.#setSolution(moves, isProven);
    this.view.highlight(tile);
    const values = { tile, direction: nameDirection(move), moves: formatMoves(count) };
    this.#showAdvice(fill(isProven ? gettext("Move {tile} {direction} ({moves} left)") : gettext("Move {tile} {direction} (about {moves} left)"), values));
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
    this.#showAdvice(gettext("Searching for the shortest solution …"));
    await this.#handleErrors(signal, async () => {
      if (!this.solution) {
        const hint = await requestSolution(game.cells, game.width, game.goal, signal);
        if (signal.aborted) return;
        if (!hint) return this.#showAdvice(gettext("No solution found yet; try again later."));
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
    this.part("solve").textContent = gettext("Stop");
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.part("solve").textContent = gettext("Solve from here");
  }

  async #handleErrors(signal, action) {
    try {
      await action();
    } catch (error) {
      if (signal.aborted) return;
      this.#showAdvice(error instanceof RequestRejected ? error.message : gettext("Hints need a connection to the server, which cannot be reached."));
    }
  }
}
