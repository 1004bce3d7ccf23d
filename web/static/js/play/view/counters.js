// The moves, slides and time above the board, and the announcements for screen readers.

import { describeBoard } from "../../board/board.js";
import { saveFile } from "../../export.js";
import { averageTime, findBestGames, loadGames } from "../storage.js";
import { fill, gettext } from "../../texts.js";
import { formatNumber } from "../../numbers.js";
import { makeRow } from "../../elements.js";

const secondsFormat = new Intl.NumberFormat(document.documentElement.lang, { minimumIntegerDigits: 2, minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Format milliseconds as `1:05.3`, with hours if necessary; truncated to tenths. */
export function formatClock(ms) {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  const secondsText = secondsFormat.format((tenths % 600) / 10);
  if (minutes < 60) return `${minutes}:${secondsText}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${secondsText}`;
}

const TICK_MS = 100;
const ANNOUNCE_DELAY_MS = 400;

export class Counters {
  /** @param {() => boolean} isBlind whether the numbers are hidden, also from screen readers */
  constructor(root, session, isBlind) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.isBlind = isBlind;
    this.averages = root.querySelectorAll("[data-average]");
    session.addEventListener("started", () => this.show());
    session.addEventListener("moved", () => this.show());
  }

  show() {
    const { game, clock, ended } = this.session;
    this.showGame(game, clock.ms);
    this.part("undo").disabled = ended || game.history.length === 0;
    this.part("redo").disabled = ended || game.undone.length === 0;
    this.part("restart").disabled = game.history.length + game.undone.length === 0;
    clearInterval(this.ticking);
    if (clock.isRunning) this.ticking = setInterval(() => this.showGame(game, clock.ms), TICK_MS);
    this.#announceSoon();
  }

  /** Show the figures of a game at a time. */
  showGame(game, ms) {
    this.part("moves").textContent = formatNumber(game.moves);
    this.part("slides").textContent = formatNumber(game.slides);
    this.part("time").textContent = formatClock(ms);
  }

  /** Describe the board to screen readers once nothing has moved for a moment. */
  #announceSoon() {
    clearTimeout(this.announceTimer);
    this.announceTimer = setTimeout(() => {
      const { game } = this.session;
      const host = this.part("board");
      const description = this.isBlind() ? gettext("Numbers hidden.") : describeBoard(game.cells, game.width, game.goal);
      host.setAttribute("aria-label", description);
      this.part("announcement").textContent = this.#describeLastMove();
    }, ANNOUNCE_DELAY_MS);
  }

  /** Show the averages of the last games of this size and kind. */
  showAverages() {
    const { game, origin } = this.session;
    const games = loadGames().filter(({ size, kind }) => size === `${game.width}×${game.height}` && kind === origin.kind);
    for (const part of this.averages) {
      const ms = averageTime(games, Number(part.dataset.average));
      part.textContent = ms === null ? "–" : formatClock(ms);
    }
  }

  #describeLastMove() {
    const { game } = this.session;
    const last = game.history.at(-1);
    if (!last) return "";
    const tile = game.cells[game.blank - game.steps[last.move]];
    const direction = nameDirection(last.move);
    const values = { direction, count: last.count, moves: formatNumber(game.moves), tile };
    if (this.isBlind()) return gettext("Tiles moved {direction}: {count}. Total moves: {moves}.", values);
    return fill(last.count > 1 ? gettext("{count} tiles moved {direction}. Total moves: {moves}.") : gettext("Tile {tile} moved {direction}. Total moves: {moves}."), values);
  }
}

function nameKind(kind) {
  const names = {
    any: gettext("Any board"),
    easy: gettext("Easy"),
    medium: gettext("Medium"),
    hard: gettext("Hard"),
    exactly: gettext("Exact distance"),
    given: gettext("Custom boards"),
    daily: gettext("Daily puzzles"),
  };
  return names[kind] ?? kind;
}

/** Return the direction of a move's tile. */
export const nameDirection = (move) => [gettext("up"), gettext("down"), gettext("left"), gettext("right")][move];

// The table of the best games, and the export of all games.
export class RecordsView {
  constructor(root) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.part("export").addEventListener("click", () => this.#export());
    this.show();
  }

  show() {
    const best = findBestGames(loadGames());
    const rows = best.map(({ size, kind, games, time, moves, slides }) => {
      const figures = [formatClock(time.ms), ...[moves.moves, slides.slides, games.length].map(formatNumber)];
      return makeRow(`${size} · ${nameKind(kind)}`, figures);
    });
    this.part("records").replaceChildren(...rows);
    this.part("records-box").hidden = best.length === 0;
    this.part("no-records").hidden = best.length > 0;
  }

  #export() {
    const text = JSON.stringify({ games: loadGames() }, null, 1);
    saveFile(new Blob([text], { type: "application/json" }), "tilework-games.json");
  }
}
