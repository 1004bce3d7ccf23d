// The end of a game: its figures compared with the best solution, and what to do next.

import { formatBoardLine } from "../../board/board_format.js";
import { fill } from "../../board/board_rendering.js";
import { TimedPlayback } from "../../board/timed_playback.js";
import { copyToClipboard } from "../../job/clipboard.js";
import { formatMoves } from "../../job/verdict.js";
import { Game } from "../game/game.js";
import { formatGoal } from "../game/goals.js";
import { formatClock } from "../view/clock_format.js";
import { analysisUrl, requestAnalysis } from "./analysis_client.js";
import { requestHints } from "./hint_client.js";
import { composeShareText } from "./share_text.js";

const MESSAGE_MS = 2500;

export class ResultPanel {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {import("../view/board_view.js").BoardView} view
   * @param {import("../view/counters.js").Counters} counters
   * @param {object} words
   * @param {{next: () => void, again: () => void, race: () => void}} actions start the next board, the same
   * board, or a race against this game
   */
  constructor(root, session, view, counters, words, actions) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.view = view;
    this.counters = counters;
    this.words = words;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.decimals = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.request = new AbortController();
    session.addEventListener("begun", () => this.#hide());
    this.part("next").addEventListener("click", actions.next);
    this.part("race-again").addEventListener("click", actions.race);
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

  /** Show that the board is solved; `brokenRecords` names the records that this game has broken. */
  show(brokenRecords) {
    const { game, clock, helped } = this.session;
    const values = { moves: this.numbers.format(game.moves), slides: this.numbers.format(game.slides), time: formatClock(clock.ms) };
    this.part("end-text").textContent = fill(helped ? this.words.solved_with_help : this.words.solved, values);
    this.part("end-title").textContent = helped ? this.words.ended_with_help : this.words.ended;
    this.part("end-record").textContent = brokenRecords.map((what) => this.words.records[what]).join(" ");
    this.part("end-against").textContent = "";
    this.part("end-moves").textContent = values.moves;
    this.part("end-best").textContent = "…";
    this.part("end-time").textContent = values.time;
    this.part("end-speed").textContent = this.#formatSpeed();
    this.part("end-analysis").href = analysisUrl(this.#describeGame());
    this.part("end").hidden = false;
    this.part("tools").hidden = true;
    this.part("end").scrollIntoView({ block: "nearest" });
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
        if (optimal && game.moves === upper && !this.session.helped) this.part("end-title").textContent = this.words.ended_perfect;
        const values = { moves: formatMoves(game.moves, this.words, this.numbers), best: this.numbers.format(upper) };
        this.part("end-best").textContent = optimal ? values.best : fill(this.words.about, { count: values.best });
        this.part("end-against").textContent = fill(optimal ? this.words.against : this.words.against_about, values);
      }
    } catch {
      // Unreachable or refused: the previous sentence stays.
    }
    if (this.best === null && !signal.aborted) this.part("end-best").textContent = "–";
  }

  /** Analyse the game, and open the page of its analysis; without the service, open the form. */
  async #analyse(event) {
    event.preventDefault();
    const link = event.currentTarget;
    link.setAttribute("aria-busy", "true");
    location.assign(await requestAnalysis(this.#describeGame()).catch(() => link.href));
    link.removeAttribute("aria-busy");
  }

  /** Replay the game on the board at its own speed, or stop. */
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
    this.part("replay-label").textContent = this.words.stop;
    return this.replay.start();
  }

  #endReplay() {
    this.part("replay-label").textContent = this.words.replay;
    this.view.draw(this.session.game);
    this.counters.show();
  }

  async #share() {
    const { game, clock, origin } = this.session;
    const size = `${game.width}×${game.height}`;
    const title = origin.kind === "daily" ? fill(this.words.share_daily, { size, date: origin.date }) : fill(this.words.share_board, { size });
    const values = { moves: formatMoves(game.moves, this.words, this.numbers), best: this.numbers.format(this.best ?? 0), time: formatClock(clock.ms), speed: this.#formatSpeed() };
    const text = composeShareText(this.session, title, fill(this.best === null ? this.words.share_alone : this.words.share_figures, values));
    if ("share" in navigator) {
      try {
        return await navigator.share({ text });
      } catch (error) {
        if (error.name === "AbortError") return undefined; // the visitor closed the dialog
      }
    }
    const label = this.part("share-label");
    label.textContent = await copyToClipboard(text).then(() => this.words.copied, () => this.words.not_copied);
    setTimeout(() => (label.textContent = this.words.share), MESSAGE_MS);
    return undefined;
  }
}
