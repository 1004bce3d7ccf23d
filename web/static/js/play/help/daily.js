// The daily puzzles, the same for all players, by UTC date. The optimal length is hidden until the visitor
// has solved the board.

import { fill } from "../../board/board_rendering.js";
import { isGoalName, makeGoal } from "../game/goals.js";
import { loadGames } from "../storage/records.js";

/** Return the game in which a daily puzzle was solved without help, if any. */
function findSolvedGame(date, size) {
  return loadGames().find((game) => game.kind === "daily" && game.date === date && game.size === size);
}

/** Whether a session's board is a daily puzzle that has not been solved yet. */
export function isSecret({ origin, game }) {
  return origin.kind === "daily" && !findSolvedGame(origin.date, `${game.width}×${game.height}`);
}

export class Daily {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {object} words
   */
  constructor(root, session, words) {
    this.status = root.querySelector('[data-part="daily-text"]');
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

  /** Show which daily puzzles are solved. */
  show() {
    for (const button of this.buttons) {
      const size = `${button.dataset.daily}×${button.dataset.daily}`;
      const game = findSolvedGame(this.today, size);
      button.textContent = game ? fill(this.words.daily_done, { size, moves: game.moves }) : size;
    }
  }

  async #open(size) {
    const date = this.today;
    this.status.textContent = "";
    try {
      const response = await fetch(`/api/v1/daily/${date}/${size}`);
      const daily = await response.json();
      if (!response.ok) throw new Error(daily.detail);
      const goal = isGoalName(daily.goal) ? makeGoal(daily.goal, size, size) : daily.goal;
      this.session.begin(daily.board, size, goal, { kind: "daily", date });
      document.querySelector('[data-part="board"]').focus({ preventScroll: true });
    } catch {
      this.status.textContent = this.words.no_daily;
    }
  }
}
