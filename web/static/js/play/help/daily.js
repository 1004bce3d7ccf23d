// The daily puzzles, the same for all players, by the date in UTC. How short the shortest way is stays
// a secret until one has solved the board.

import { fill } from "../../board/make_board.js";
import { hasName, namedGoal } from "../game/goals.js";
import { keptGames } from "../kept/records.js";

/** The game in which the board of a day was solved without help; undefined where there is none. */
function solvedOn(date, size) {
  return keptGames().find((game) => game.kind === "daily" && game.date === date && game.size === size);
}

/** Whether a session's board is one of the day that has not been solved yet. */
export function isSecret({ origin, game }) {
  return origin.kind === "daily" && !solvedOn(origin.date, `${game.width}×${game.height}`);
}

export class Daily {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {object} words
   */
  constructor(root, session, words) {
    this.said = root.querySelector('[data-part="daily-text"]');
    this.buttons = [...root.querySelectorAll("[data-daily]")];
    this.session = session;
    this.words = words;
    for (const button of this.buttons) button.addEventListener("click", () => this.#open(Number(button.dataset.daily)));
    session.addEventListener("begun", () => this.show());
    document.addEventListener("visibilitychange", () => this.show()); // the day may have changed
  }

  get today() {
    return new Date().toISOString().slice(0, 10);
  }

  /** Tell which boards of the day are done. */
  show() {
    for (const button of this.buttons) {
      const size = `${button.dataset.daily}×${button.dataset.daily}`;
      const game = solvedOn(this.today, size);
      button.textContent = game ? fill(this.words.daily_done, { size, moves: game.moves }) : size;
    }
  }

  async #open(size) {
    const date = this.today;
    this.said.textContent = "";
    try {
      const answer = await fetch(`/api/v1/daily/${date}/${size}`);
      const daily = await answer.json();
      if (!answer.ok) throw new Error(daily.detail);
      const goal = hasName(daily.goal) ? namedGoal(daily.goal, size, size) : daily.goal;
      this.session.begin(daily.board, size, goal, { kind: "daily", date });
      document.querySelector('[data-part="board"]').focus({ preventScroll: true });
    } catch {
      this.said.textContent = this.words.no_daily;
    }
  }
}
