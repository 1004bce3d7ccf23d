// The daily puzzles, the same for all players, by UTC date. The optimal length is hidden until the visitor
// has solved the board.

import { fill } from "../../board/board_rendering.js";
import { isGoalName, makeGoal } from "../game/goals.js";
import { countStreaks } from "../storage/averages.js";
import { loadGames } from "../storage/records.js";

const USUAL_SIDE = 4;

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
   * @param {() => void} onOpened called when a puzzle is on the board
   */
  constructor(root, session, words, onOpened) {
    this.onOpened = onOpened;
    this.streak = root.querySelector('[data-part="streak"]');
    this.status = root.querySelector('[data-part="daily-text"]');
    this.buttons = [...root.querySelectorAll("[data-daily]")];
    this.session = session;
    this.words = words;
    for (const button of this.buttons) button.addEventListener("click", () => this.open(Number(button.dataset.daily)));
    session.addEventListener("begun", () => this.show());
    document.addEventListener("visibilitychange", () => this.show()); // the day may have changed
  }

  get today() {
    return new Date().toISOString().slice(0, 10);
  }

  /** The size of the first puzzle of the day that is not solved, or null. */
  get next() {
    const open = this.buttons.find(({ dataset: { daily } }) => !findSolvedGame(this.today, `${daily}×${daily}`));
    return open ? Number(open.dataset.daily) : null;
  }

  /** The size of the puzzle in a link such as `#daily` or `#daily-4`, or null. */
  get linked() {
    const [link, side] = /^#daily(?:-(\d))?$/.exec(location.hash) ?? [];
    return link ? Number(side ?? this.next ?? USUAL_SIDE) : null;
  }

  /** Show which daily puzzles are solved, the streak, and in the menu whether the board is one of them. */
  show() {
    const isDaily = this.session.origin.kind === "daily";
    for (const link of document.querySelectorAll(`.submenu a[href^="${location.pathname}"]`)) {
      if ((link.hash !== "") === isDaily) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const { current, longest } = countStreaks(loadGames(), this.today);
    this.streak.textContent = longest ? fill(this.words.streak, { current, longest }) : "";
    for (const button of this.buttons) {
      const size = `${button.dataset.daily}×${button.dataset.daily}`;
      const game = findSolvedGame(this.today, size);
      button.textContent = game ? fill(this.words.daily_done, { size, moves: game.moves }) : size;
    }
  }

  async open(size) {
    const date = this.today;
    this.status.textContent = "";
    try {
      const response = await fetch(`/api/v1/daily/${date}/${size}`);
      const daily = await response.json();
      if (!response.ok) throw new Error(daily.detail);
      const goal = isGoalName(daily.goal) ? makeGoal(daily.goal, size, size) : daily.goal;
      this.session.begin(daily.board, size, goal, { kind: "daily", date });
      this.onOpened();
    } catch {
      this.status.textContent = this.words.no_daily;
    }
  }
}
