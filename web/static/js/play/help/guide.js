// Help on the way: the best next move, the whole rest played, and when neither is given.

import { fill } from "../../board/make_board.js";
import { movesText } from "../../job/verdict.js";
import { LETTERS } from "../game/game.js";
import { bestKnown, hints, Refused } from "./ask.js";

const FASTEST_MS = 15;
const SLOWEST_MS = 180;
const WHOLE_REST_MS = 20_000;

export class Guide {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {import("../view/board_view.js").BoardView} view
   * @param {object} words
   * @param {() => boolean} isSecret whether the way is not to be told yet
   */
  constructor(root, session, view, words, isSecret) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.view = view;
    this.words = words;
    this.isSecret = isSecret;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.rest = ""; // letters known to lead from the present board to its goal
    this.asking = new AbortController();
    this.part("hint").addEventListener("click", () => this.#hint());
    this.part("solve").addEventListener("click", () => (this.playing ? this.stop() : this.#solve()));
    session.addEventListener("begun", () => this.#forget());
    session.addEventListener("moved", () => this.#moved());
  }

  #forget() {
    this.rest = "";
    this.stop();
    this.#quiet();
    this.#showButtons();
  }

  /** Follow the known rest; whoever leaves it, or moves while it is played, goes alone from there. */
  #moved() {
    const last = this.session.game.way.at(-1);
    const letters = last ? LETTERS[last.move].repeat(last.count) : "";
    const follows = letters !== "" && this.rest.startsWith(letters) && this.session.game.moves === this.expected + letters.length;
    this.rest = follows ? this.rest.slice(letters.length) : "";
    this.expected = this.session.game.moves;
    if (this.playing && !this.own) this.stop();
    this.#quiet();
    this.#showButtons();
  }

  #quiet() {
    this.asking.abort();
    this.asking = new AbortController();
    this.view.point(null);
    this.part("advice").hidden = true;
  }

  #showButtons() {
    const none = this.session.ended || this.isSecret();
    this.part("hint").disabled = none;
    this.part("solve").disabled = none;
    this.part("secret").hidden = !(this.isSecret() && !this.session.ended);
  }

  #say(words) {
    this.part("advice").textContent = words;
    this.part("advice").hidden = false;
  }

  async #hint() {
    this.stop();
    this.#quiet();
    if (this.proved && this.rest) return this.#point(this.rest, this.rest.length, true);
    const { signal } = this.asking;
    const { game } = this.session;
    this.#say(this.words.looking);
    return this.#guarded(signal, async () => {
      for await (const { moves, upper_bound: upper, lower_bound: lower, optimal } of hints(game.cells, game.width, game.goal, signal)) {
        if (signal.aborted) return;
        if (moves) this.#point(moves, upper, optimal);
        else this.#say(fill(this.words.at_least, { moves: movesText(lower, this.words, this.numbers) }));
      }
    });
  }

  #point(moves, count, proved) {
    const { game } = this.session;
    const move = LETTERS.indexOf(moves[0]);
    const [tile] = game.tilesOf({ move, count: 1 });
    this.#know(moves, proved);
    this.view.point(tile);
    const values = { tile, direction: this.words.directions[move], moves: movesText(count, this.words, this.numbers) };
    this.#say(fill(proved ? this.words.hint_proved : this.words.hint_about, values));
  }

  #know(moves, proved) {
    this.session.helped = true;
    this.rest = moves;
    this.proved = proved;
    this.expected = this.session.game.moves;
  }

  async #solve() {
    this.#quiet();
    const { signal } = this.asking;
    const { game } = this.session;
    this.#say(this.words.looking);
    await this.#guarded(signal, async () => {
      if (!this.rest) {
        const best = await bestKnown(game.cells, game.width, game.goal, signal, () => true);
        if (signal.aborted) return;
        if (!best) return this.#say(this.words.no_way);
        this.#know(best.moves, best.optimal);
      }
      this.part("advice").hidden = true;
      this.#play();
    });
  }

  /** Play the known rest, one tile after the other. */
  #play() {
    const pause = Math.max(FASTEST_MS, Math.min(SLOWEST_MS, WHOLE_REST_MS / this.rest.length));
    this.session.helped = true;
    this.playing = setInterval(() => {
      if (!this.rest) return this.stop();
      this.own = true;
      this.session.slide(LETTERS.indexOf(this.rest[0]));
      this.own = false;
    }, pause);
    this.part("solve").textContent = this.words.stop;
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.part("solve").textContent = this.words.solve;
  }

  async #guarded(signal, act) {
    try {
      await act();
    } catch (error) {
      if (signal.aborted) return;
      this.#say(error instanceof Refused ? error.message : this.words.no_service);
    }
  }
}
