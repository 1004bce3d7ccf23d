// The daily puzzles, the same for all players, by UTC date. The optimal length is hidden until the visitor
// has solved the board.

import { fill } from "../../board/board.js";
import { isGoalName, makeGoal } from "../game/goals.js";
import { countStreaks, loadGames, isDaily, resumeGame } from "../storage.js";

const DEFAULT_SIDE = 4;

/** Return the game in which a daily puzzle was solved without help, if any. */
function findSolvedGame(date, size) {
  return loadGames().find((game) => game.kind === "daily" && game.date === date && game.size === size);
}

/** Whether a session's board is a daily puzzle that has not been solved yet. */
export function isSecret(session) {
  const { origin, game } = session;
  return isDaily(session) && !findSolvedGame(origin.date, `${game.width}×${game.height}`);
}

export class Daily {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/game.js").Session} session
   * @param {object} texts
   * @param {() => void} onOpened called when a puzzle is shown on the board
   */
  constructor(root, session, texts, onOpened) {
    this.onOpened = onOpened;
    this.streak = root.querySelector('[data-part="streak"]');
    this.status = root.querySelector('[data-part="daily-text"]');
    this.buttons = [...root.querySelectorAll("[data-daily]")];
    this.session = session;
    this.texts = texts;
    for (const button of this.buttons) button.addEventListener("click", () => this.open(Number(button.dataset.daily)));
    session.addEventListener("started", () => {
      this.request?.abort();
      this.show();
    });
    document.addEventListener("visibilitychange", () => this.show()); // the day may have changed
  }

  get today() {
    return new Date().toISOString().slice(0, 10);
  }

  /** The size of today's first unsolved puzzle, or null. */
  get nextSize() {
    const button = this.buttons.find(({ dataset: { daily } }) => !findSolvedGame(this.today, `${daily}×${daily}`));
    return button ? Number(button.dataset.daily) : null;
  }

  /** The size of the puzzle in a link such as `#daily` or `#daily-4`, or null. */
  get linkedSize() {
    const [link, side] = /^#daily(?:-(\d))?$/.exec(location.hash) ?? [];
    return link ? Number(side ?? this.nextSize ?? DEFAULT_SIDE) : null;
  }

  /** Show which daily puzzles are solved and the streak, and mark the current page in the menu. */
  show() {
    for (const link of document.querySelectorAll(`.submenu a[href^="${location.pathname}"]`)) {
      if ((link.hash !== "") === isDaily(this.session)) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const { current, longest } = countStreaks(loadGames(), this.today);
    this.streak.textContent = longest ? fill(this.texts.streak, { current, longest }) : "";
    for (const button of this.buttons) {
      const size = `${button.dataset.daily}×${button.dataset.daily}`;
      const game = findSolvedGame(this.today, size);
      button.textContent = game ? fill(this.texts.daily_done, { size, moves: game.moves }) : size;
    }
  }

  /** Continue today's puzzle, or start it unless another game starts before the response. */
  async open(size) {
    const date = this.today;
    this.request?.abort();
    const { signal } = (this.request = new AbortController());
    this.status.textContent = "";
    const isWanted = (game) => isDaily(game) && game.origin.date === date && game.width === size && !game.ended;
    if (isWanted(this.session.toJSON()) || resumeGame(this.session, isWanted)) {
      this.onOpened();
      return;
    }
    try {
      const response = await fetch(`/api/v1/daily/${date}/${size}`, { signal });
      const daily = await response.json();
      if (!response.ok) throw new Error(daily.detail);
      const goal = isGoalName(daily.goal) ? makeGoal(daily.goal, size, size) : daily.goal;
      this.session.begin(daily.board, size, goal, { kind: "daily", date });
      this.onOpened();
    } catch {
      if (!signal.aborted) this.status.textContent = this.texts.no_daily;
    }
  }
}
