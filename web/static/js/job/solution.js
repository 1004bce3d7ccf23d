// Shows the given board, then the solution, and better solutions as they are found: automatically until
// the player is used, afterwards when the visitor requests it.

import { makeBoard, readGoal, readTiles } from "../board/board.js";
import { followLinks, readPosition } from "../board/fragment.js";
import { Moves, SolutionReplaced } from "../board/moves.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { MoveList } from "./move_list.js";
import { formatMoves, formatSlides } from "./formats.js";
import { formatNumber, formatPercent } from "../numbers.js";
import { fill, gettext } from "../texts.js";

const MIN_PROGRESS_LENGTH = 50000; // moves; loading more shows a progress message
const PROGRESS_DELAY_MS = 500;
const MAX_COUNTED_LENGTH = 1000000; // moves; counting the slides of more takes too long

/** Show the given board before there is a solution. */
export function showBoard(root) {
  const { width, height, board, goal } = root.dataset;
  const host = root.querySelector('[data-part="board"]');
  const tiles = readTiles(board);
  makeBoard(host, Number(width), Number(height), readGoal(goal, tiles.length)).draw(tiles, true);
}

/** Replaces the static board with the player, and solutions with better ones. */
export class Solution {
  constructor(root, url) {
    this.root = root;
    this.url = `${url}/solution`;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.inSlides = root.dataset.metric === "slides";
    this.length = null; // of the current solution in the job's metric
    this.player = null;
    this.isLoading = false;
    this.moveList = new MoveList(root);
    this.showInUrl = followLinks("move", 0, (move) => this.player?.go(move));
    this.part("shorter-show").addEventListener("click", () => {
      this.part("board").focus({ preventScroll: true }); // this button will be hidden
      this.#loadBest();
    });
  }

  /** Handle a new best length, in the job's metric. */
  offer(length) {
    this.best = length;
    if (this.isLoading || length === this.length) return;
    if (!this.player || this.player.isUntouched || length > this.length) this.#loadBest();
    else this.#showOffer(gettext("Found a shorter solution: {moves}."), length, true);
  }

  /** Show the best solution, at the same relative position as the previous one. */
  async #loadBest(isReplaced = false) {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      await this.#show(isReplaced);
    } catch (error) {
      this.#showMessage(gettext("Could not load the solution: {reason}", { reason: error.message }));
    }
    this.isLoading = false;
    if (this.best < this.length) this.offer(this.best);
  }

  async #show(isReplaced) {
    const progressTimer = setTimeout(() => this.#showLoading(this.best ?? 0, 0), PROGRESS_DELAY_MS);
    const offeredLength = this.best;
    const moves = await Moves.open(this.url).finally(() => clearTimeout(progressTimer));
    const { width, board, goal } = this.root.dataset;
    const tiles = readTiles(board);
    const playback = new Playback(tiles, Number(width), moves);
    const previous = this.player;
    const position = previous ? Math.round(previous.progress * moves.length) : (readPosition("move") ?? 0);
    if (!playback.seek(position)) {
      await playback.fetchMoves(position);
      playback.seek(position);
    }
    const settings = previous && !previous.isUntouched && { speed: previous.speed, playing: previous.playing };
    previous?.dispose();
    const player = new Player(this.part("player"), playback, readGoal(goal, tiles.length), (error) => this.#handleError(error));
    if (settings) player.resumeFrom(settings);
    this.moveList.follow(player);
    player.onPositionChange = (position) => {
      this.moveList.show(position);
      this.showInUrl(position);
    };
    this.player = player;
    this.length = this.inSlides ? offeredLength : moves.length;
    if (isReplaced && settings) this.#showOffer(gettext("Found a shorter solution: {moves}. The player continues from the same point."), this.length, false);
    else if (moves.length < offeredLength && !this.inSlides) this.#showOffer(gettext("A later search found a shorter solution, shown here: {moves}."), moves.length, false);
    else this.part("shorter").hidden = true;
    this.#showLoading(moves.length, 1);
    this.part("export").classList.remove("awaited");
    this.root.dispatchEvent(new CustomEvent("solution", { detail: moves }));
    this.#showSlides(moves);
    this.#load(player);
  }

  /** Fetch the remaining moves in the background once the player is used. */
  async #load(player) {
    const { playback, lifetime } = player;
    if (playback.position === 0) await player.whenUsed;
    try {
      await playback.load((share) => this.player === player && this.#showLoading(playback.length, share), lifetime.signal);
      if (this.player === player) this.#showSlides(playback.moves);
    } catch (error) {
      if (!lifetime.signal.aborted) this.#handleError(error);
    }
  }

  #handleError(error) {
    if (error instanceof SolutionReplaced) this.#loadBest(true);
    else this.#showMessage(gettext("Could not load the solution: {reason}", { reason: error.message }));
  }

  #showOffer(template, length, hasButton) {
    this.part("shorter-text").textContent = fill(template, { moves: this.inSlides ? formatSlides(length) : formatMoves(length) });
    this.part("shorter-show").hidden = !hasButton;
    this.part("shorter").hidden = false;
  }

  /** Show the number of slides once all moves are loaded. */
  #showSlides(moves) {
    if (this.inSlides) {
      this.part("slides-box").hidden = moves.length === 0;
      this.part("slides").textContent = formatNumber(moves.length);
      return;
    }
    const isCounted = moves.length <= MAX_COUNTED_LENGTH && moves.listMissingChunks(0, moves.length).length === 0;
    this.part("slides-box").hidden = moves.length === 0 || !isCounted;
    if (isCounted) this.part("slides").textContent = formatNumber(moves.countSlides());
  }

  #showLoading(length, share) {
    if (length < MIN_PROGRESS_LENGTH || share === 1) this.part("loading").hidden = true;
    else this.#showMessage(gettext("Loading {moves} moves … {share}", { moves: formatNumber(length), share: formatPercent(share) }));
  }

  #showMessage(text) {
    this.part("loading").textContent = text;
    this.part("loading").hidden = false;
  }
}
