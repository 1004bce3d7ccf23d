// The end of a game: its figures compared with the best solution, and what to do next.

import { formatBoardLine } from "../../board/board.js";
import { TimedPlayback } from "../../board/playback.js";
import { copyToClipboard } from "../../export.js";
import { formatMoves, formatSlides } from "../../job/formats.js";
import { Game } from "../game/game.js";
import { formatGoal } from "../game/goals.js";
import { formatClock } from "../view/counters.js";
import { makeAnalysisUrl, requestAnalysis, requestHints } from "./requests.js";
import { fill, gettext } from "../../texts.js";
import { formatNumber } from "../../numbers.js";

// The text that a visitor shares after a game: the figures, a picture in emoji, and a link.

const MAX_PICTURE_SIDE = 10; // a picture of a larger board would fill the screen
const BLANK = "⬜";
const THIRDS = ["🟦", "🟨", "🟧"];

/**
 * Return one emoji per cell: the third of the game (first, second or last) in which the tile reached it
 * for the last time. The picture does not reveal the solution.
 */
function drawProgress({ start, goal, width, history, steps }) {
  const cells = Array.from(start);
  const placedAt = new Array(cells.length).fill(0);
  let blank = cells.indexOf(0);
  history.forEach(({ move, count }, slide) => {
    for (let moved = 0; moved < count; moved += 1) {
      const from = blank + steps[move];
      [cells[blank], cells[from]] = [cells[from], 0];
      placedAt[blank] = slide + 1;
      blank = from;
    }
  });
  const emoji = placedAt.map((slide, cell) => (goal[cell] === 0 ? BLANK : THIRDS[Math.min(2, Math.floor((slide / (history.length + 1)) * 3))]));
  return Array.from({ length: cells.length / width }, (_, row) => emoji.slice(row * width, (row + 1) * width).join("")).join("\n");
}

function composeShareText({ game, origin }, title, figures) {
  return [title, figures, ...(hasPicture(game) ? [drawProgress(game)] : []), makeShareUrl(game, origin)].join("\n");
}

function hasPicture({ width, height }) {
  return Math.max(width, height) <= MAX_PICTURE_SIDE;
}

/** Return a link to the day's puzzle, or to the game's first board. */
function makeShareUrl(game, { kind }) {
  return kind === "daily" ? `${location.origin}${location.pathname}?daily=${game.width}` : `${location.origin}${location.pathname}${location.search}`;
}

function describeRecord(name) {
  const descriptions = {
    time: gettext("Personal best: fastest time!"),
    moves: gettext("Personal best: fewest moves!"),
    slides: gettext("Personal best: fewest slides!"),
  };
  return descriptions[name];
}

const MESSAGE_MS = 2500;

export class ResultPanel {
  /**
   * @param {{next: () => void, nameNext: () => string, again: () => void}} actions start the next board, which has a
   * name, or the same one
   */
  constructor(root, session, view, counters, actions) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.view = view;
    this.counters = counters;
    this.decimals = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.request = new AbortController();
    this.nameNext = actions.nameNext;
    session.addEventListener("started", () => this.#hide());
    this.part("next").addEventListener("click", actions.next);
    this.part("again").addEventListener("click", actions.again);
    this.part("replay").addEventListener("click", () => this.#toggleReplay());
    this.part("share").addEventListener("click", () => this.#share());
    this.part("end-analysis").addEventListener("click", (event) => this.#analyse(event));
  }

  #hide() {
    this.request.abort();
    this.replay?.stop();
    this.part("end").hidden = true;
    this.part("tools").hidden = false;
  }

  /** Show that the board is solved, and the names of the records that this game has broken. */
  show(brokenRecords) {
    const { game, clock, helped } = this.session;
    const time = formatClock(clock.ms);
    const values = { moves: formatMoves(game.moves), slides: formatSlides(game.slides), time };
    this.part("end-text").textContent = fill(helped ? gettext("Solved with help: {moves}, {slides}, {time}.") : gettext("Solved: {moves}, {slides}, {time}."), values);
    this.part("end-title").textContent = helped ? gettext("Solved with help") : gettext("Solved!");
    this.part("end-record").textContent = brokenRecords.map(describeRecord).join(" ");
    this.part("end-comparison").textContent = "";
    this.part("end-best").textContent = "…";
    this.part("end-speed").textContent = this.#formatSpeed();
    this.part("end-analysis").href = makeAnalysisUrl(this.#describeGame());
    this.part("next").textContent = this.nameNext();
    this.part("picture-box").hidden = !hasPicture(game);
    if (hasPicture(game)) this.part("share-picture").textContent = drawProgress(game);
    this.part("end").hidden = false;
    this.part("tools").hidden = true;
    this.part("end-head").scrollIntoView({ block: "nearest" });
    if (document.activeElement === this.view.host) this.part("next").focus({ preventScroll: true });
    this.#compare(game);
  }

  #formatSpeed() {
    const { game, clock } = this.session;
    return clock.ms > 0 ? this.decimals.format((game.moves * 1000) / clock.ms) : "–";
  }

  /** Return the game as the API accepts it. */
  #describeGame() {
    const { game } = this.session;
    return {
      board: formatBoardLine(game.start, game.width),
      goal: formatGoal(game.goal, game.width, formatBoardLine),
      moves: game.letters,
      times_ms: game.times,
    };
  }

  /** Compare the game with the best solution; without the service, show nothing. */
  async #compare(game) {
    this.best = null;
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      for await (const { upper_bound: upper, optimal } of requestHints(game.start, game.width, game.goal, signal)) {
        if (signal.aborted) return;
        if (upper === null) continue;
        this.best = upper;
        if (optimal && game.moves === upper && !this.session.helped) this.part("end-title").textContent = gettext("Perfect: no shorter solution exists!");
        const values = { moves: formatMoves(game.moves), best: formatNumber(upper) };
        this.part("end-best").textContent = optimal ? values.best : gettext("about {count}", { count: values.best });
        this.part("end-comparison").textContent = fill(optimal ? gettext("You: {moves}. Best: {best}.") : gettext("You: {moves}. Best: about {best}."), values);
      }
    } catch {
      // The server is unreachable or rejects the request: the text does not change.
    }
    if (this.best === null && !signal.aborted) this.part("end-best").textContent = "–";
  }

  /**
   * Analyse the game, and open the page of its analysis, unless another game starts before the response. Without the
   * service, open the form, as in another tab or window.
   */
  async #analyse(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const link = event.currentTarget;
    const { signal } = this.request;
    link.setAttribute("aria-busy", "true");
    const url = await requestAnalysis(this.#describeGame()).catch(() => link.href);
    link.removeAttribute("aria-busy");
    if (!signal.aborted) location.assign(url);
  }

  /** Replay the game on the board at the speed at which it was played, or stop. */
  #toggleReplay() {
    if (this.replay?.isRunning) return this.replay.stop();
    const { start, width, goal, history } = this.session.game;
    const game = new Game(start, width, goal);
    const show = (count, ms) => {
      for (const { move, count: tiles, time } of history.slice(game.slides, count)) game.slide(move, tiles, time);
      this.view.draw(game);
      this.counters.showGame(game, ms);
    };
    this.replay = new TimedPlayback(history.map(({ time }) => time), show, () => this.#endReplay());
    this.part("replay-label").textContent = gettext("Stop");
    return this.replay.start();
  }

  #endReplay() {
    this.part("replay-label").textContent = gettext("Replay");
    this.view.draw(this.session.game);
    this.counters.show();
  }

  async #share() {
    const { game, clock, origin } = this.session;
    const size = `${game.width}×${game.height}`;
    const title = origin.kind === "daily" ? gettext("Tilework daily puzzle {size}, {date}", { size, date: origin.date }) : gettext("Tilework {size}", { size });
    const values = { moves: formatMoves(game.moves), best: formatNumber(this.best ?? 0), time: formatClock(clock.ms), speed: this.#formatSpeed() };
    const text = composeShareText(this.session, title, fill(this.best === null ? gettext("{moves} · {time} · {speed} tiles/s") : gettext("{moves} (best: {best}) · {time} · {speed} tiles/s"), values));
    if ("share" in navigator) {
      try {
        return await navigator.share({ text });
      } catch (error) {
        if (error.name === "AbortError") return undefined; // the visitor closed the dialog
      }
    }
    const label = this.part("share-label");
    label.textContent = await copyToClipboard(text).then(() => gettext("Copied"), () => gettext("The browser did not allow copying."));
    setTimeout(() => (label.textContent = gettext("Share")), MESSAGE_MS);
    return undefined;
  }
}
