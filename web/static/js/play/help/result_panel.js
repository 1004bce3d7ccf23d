// The result at the end of a game: the moves compared with the fewest, records, and a link to the analysis.

import { formatBoardLine } from "../../board/board_format.js";
import { fill } from "../../board/board_rendering.js";
import { formatMoves } from "../../job/verdict.js";
import { formatGoal } from "../game/goals.js";
import { formatClock } from "../view/clock_format.js";
import { requestHints } from "./hint_client.js";

const ANALYSIS = "/analyse";

/** Return the URL that analyses a game. Browsers do not send the fragment to the server. */
export function analysisUrl(game) {
  const values = {
    board: formatBoardLine(game.start, game.width),
    goal: formatGoal(game.goal, game.width, formatBoardLine),
    moves: game.letters,
    times: game.times.join(","),
  };
  const fragment = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${ANALYSIS}#${fragment.join("&")}`;
}

export class ResultPanel {
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
    this.request = new AbortController();
    session.addEventListener("begun", () => this.#hide());
  }

  #hide() {
    this.request.abort();
    this.part("end").hidden = true;
  }

  /** Show that the board is solved; `brokenRecords` names the records that this game has broken. */
  show(brokenRecords) {
    const { game, clock, helped } = this.session;
    const values = { moves: this.numbers.format(game.moves), slides: this.numbers.format(game.slides), time: formatClock(clock.ms) };
    this.part("end-text").textContent = fill(helped ? this.words.solved_with_help : this.words.solved, values);
    this.part("end-record").textContent = brokenRecords.map((what) => this.words.records[what]).join(" ");
    this.part("end-against").textContent = "";
    this.part("end-analysis").href = analysisUrl(game);
    this.part("end").hidden = false;
    this.#compare(game);
  }

  /** Compare the game with the best solution; without the service, show nothing. */
  async #compare(game) {
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      for await (const { upper_bound: upper, optimal } of requestHints(game.start, game.width, game.goal, signal)) {
        if (signal.aborted) return;
        if (upper === null) continue;
        const values = { moves: formatMoves(game.moves, this.words, this.numbers), best: this.numbers.format(upper) };
        this.part("end-against").textContent = fill(optimal ? this.words.against : this.words.against_about, values);
      }
    } catch {
      // Unreachable or refused: the previous sentence stays.
    }
  }
}
