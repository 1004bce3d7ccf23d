// The daily puzzles, the same for all players, by UTC date. The optimal length is hidden until the visitor
// has solved the board.

import { makeBoard } from "../../board/board.js";
import { isGoalName, makeGoal } from "../game/goals.js";
import { countStreaks, loadGames, isDaily, resumeGame } from "../storage.js";
import { gettext } from "../../texts.js";

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
  /** @param {() => void} onOpened called when a puzzle is shown on the board */
  constructor(root, session, onOpened) {
    this.onOpened = onOpened;
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.status = this.part("daily-text");
    this.dates = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
    this.buttons = [...root.querySelectorAll("[data-daily]")];
    this.session = session;
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

  /** The size of the puzzle in a link such as `?daily` or `?daily=4`, or null. */
  get linkedSize() {
    const size = new URLSearchParams(location.search).get("daily");
    return size === null ? null : Number(size) || (this.nextSize ?? DEFAULT_SIDE);
  }

  /** Show whether this is a daily puzzle, the date, the streak, and which puzzles are solved. */
  show() {
    const { game, origin } = this.session;
    const isShown = game ? isDaily(this.session) : this.linkedSize !== null;
    this.root.toggleAttribute("data-daily-mode", isShown);
    for (const link of document.querySelectorAll(`.submenu a[href^="${location.pathname}"]`)) {
      if ((link.search !== "") === isShown) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (!isShown) return;
    const { current, longest } = countStreaks(loadGames(), this.today);
    this.part("streak").textContent = longest ? gettext("Daily streak: {current} (longest: {longest})", { current, longest }) : gettext("Solve one to start a streak.");
    this.part("daily-date").textContent = this.dates.format(new Date(origin?.date ?? this.today));
    for (const button of this.buttons) this.#showButton(button, origin?.date ?? this.today);
    if (game) makeBoard(this.part("goal-board"), game.width, game.height, game.goal).draw(game.goal, true);
  }

  #showButton(button, date) {
    const side = Number(button.dataset.daily);
    const size = `${side}×${side}`;
    const solvedGame = findSolvedGame(date, size);
    button.textContent = solvedGame ? `${size} ✓` : size;
    button.setAttribute("aria-pressed", String(side === this.session.game?.width));
    if (solvedGame) button.setAttribute("aria-label", gettext("{size}: solved in {moves}", { size, moves: solvedGame.moves }));
    else button.removeAttribute("aria-label");
  }

  /** Continue today's puzzle, or start it unless another game starts before the response. */
  async open(size) {
    const date = this.today;
    this.request?.abort();
    const { signal } = (this.request = new AbortController());
    this.status.textContent = "";
    if (!this.session.game) this.show();
    const isWanted = (game) => isDaily(game) && game.origin.date === date && game.width === size;
    if ((this.session.game && isWanted(this.session.toJSON())) || resumeGame(this.session, isWanted)) {
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
      if (!signal.aborted) this.status.textContent = gettext("Could not load the daily puzzle.");
    }
  }
}
