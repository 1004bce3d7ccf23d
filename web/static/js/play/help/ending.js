// What is said at the end: one's own moves against the fewest, records, and the way to the analysis.

import { boardLine } from "../../board/board_text.js";
import { fill } from "../../board/make_board.js";
import { movesText } from "../../job/verdict.js";
import { goalText } from "../game/goals.js";
import { clockText } from "../view/time_text.js";
import { hints } from "./ask.js";

const ANALYSIS = "/analyse";

/** Where a game is analysed. The fragment stays in the browser. */
export function analysisAddress(game) {
  const values = {
    board: boardLine(game.start, game.width),
    goal: goalText(game.goal, game.width, boardLine),
    moves: game.letters,
    times: game.times.join(","),
  };
  const fragment = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${ANALYSIS}#${fragment.join("&")}`;
}

export class Ending {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {object} words
   */
  constructor(root, session, words) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.words = words;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.asking = new AbortController();
    session.addEventListener("begun", () => this.#hide());
  }

  #hide() {
    this.asking.abort();
    this.part("end").hidden = true;
  }

  /** Say that the board is solved; `beaten` names the records that this game has broken. */
  show(beaten) {
    const { game, clock, helped } = this.session;
    const values = { moves: this.numbers.format(game.moves), slides: this.numbers.format(game.slides), time: clockText(clock.ms) };
    this.part("end-text").textContent = fill(helped ? this.words.solved_with_help : this.words.solved, values);
    this.part("end-record").textContent = beaten.map((what) => this.words.records[what]).join(" ");
    this.part("end-against").textContent = "";
    this.part("end-analysis").href = analysisAddress(game);
    this.part("end").hidden = false;
    this.#compare(game);
  }

  /** Without the service there is nothing to compare with; the end is none the worse for it. */
  async #compare(game) {
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      for await (const { upper_bound: upper, optimal } of hints(game.start, game.width, game.goal, signal)) {
        if (signal.aborted) return;
        if (upper === null) continue;
        const values = { moves: movesText(game.moves, this.words, this.numbers), best: this.numbers.format(upper) };
        this.part("end-against").textContent = fill(optimal ? this.words.against : this.words.against_about, values);
      }
    } catch {
      // Not reached, or refused: the sentence before stays.
    }
  }
}
