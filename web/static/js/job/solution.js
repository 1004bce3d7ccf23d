// Bringing boards into the page: the given one at once, the solution when there is one, and a better
// one when it comes: by itself while nobody has touched the player, else when the visitor asks for it.

import { fill, makeBoard, readGoal, readTiles } from "../board/make_board.js";
import { Moves, Replaced } from "../board/moves.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { MoveAddress, moveOf } from "./move_address.js";

const LONG = 50000; // moves from which on fetching is worth a line of text
const TELL_AFTER_MS = 500;
const COUNTED = 1000000; // moves up to which slides are counted: a few hundredths of a second

/** The board as it was given, before anything is known of its solution. */
export function showBoard(root) {
  const { width, height, board, goal } = root.dataset;
  const host = root.querySelector('[data-part="board"]');
  const tiles = readTiles(board);
  makeBoard(host, Number(width), Number(height), readGoal(goal, tiles.length)).draw(tiles, true);
}

/** Puts the player in place of the still board, and better solutions in place of worse ones. */
export class Solution {
  constructor(root, address, words) {
    this.root = root;
    this.address = `${address}/solution`;
    this.words = words;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
    this.inSlides = root.dataset.metric === "slides";
    this.length = null; // in the job's metric, of the solution that is shown, or being fetched
    this.player = null;
    this.taking = false;
    this.moveAddress = new MoveAddress();
    this.part("shorter-show").addEventListener("click", () => this.#take());
  }

  /** Hear that the best solution has so many moves, or slides. */
  offer(length) {
    this.best = length;
    if (this.taking || length === this.length) return;
    if (!this.player || this.player.untouched || length > this.length) this.#take();
    else this.#say(this.words.shorter, length, true);
  }

  /** Show the best solution, from the same share of the way as the one before. */
  async #take(replaced = false) {
    if (this.taking) return;
    this.taking = true;
    try {
      await this.#show(replaced);
    } catch (error) {
      this.#tell(fill(this.words.no_moves, { reason: error.message }));
    }
    this.taking = false;
    if (this.best < this.length) this.offer(this.best);
  }

  async #show(replaced) {
    const telling = setTimeout(() => this.#tellLoading(this.best ?? 0, 0), TELL_AFTER_MS);
    const offered = this.best;
    const moves = await Moves.open(this.address).finally(() => clearTimeout(telling));
    const { width, board, goal } = this.root.dataset;
    const tiles = readTiles(board);
    const playback = new Playback(tiles, Number(width), moves);
    const before = this.player;
    const place = before ? Math.round(before.share * moves.length) : (moveOf(location.hash) ?? 0);
    if (!playback.seek(place)) {
      await playback.bring(place);
      playback.seek(place);
    }
    const played = before && !before.untouched && { speed: before.speed, playing: before.playing };
    before?.dispose();
    const player = new Player(this.part("player"), playback, readGoal(goal, tiles.length), this.words, (error) => this.#fault(error));
    if (played) player.goOn(played);
    this.moveAddress.follow(player);
    this.player = player;
    this.length = this.inSlides ? offered : moves.length;
    if (replaced && played) this.#say(this.words.shorter_shown, this.length, false);
    else this.part("shorter").hidden = true;
    this.#tellLoading(moves.length, 1);
    this.part("files").hidden = false;
    this.root.dispatchEvent(new CustomEvent("solution", { detail: moves }));
    this.#tellSlides(moves);
    this.#load(player);
  }

  /** Fetch the rest beside the playing, once there is some. */
  async #load(player) {
    const { playback, ending } = player;
    if (playback.position === 0) await player.used;
    try {
      await playback.load((share) => this.player === player && this.#tellLoading(playback.length, share), ending.signal);
      if (this.player === player) this.#tellSlides(playback.moves);
    } catch (error) {
      if (!ending.signal.aborted) this.#fault(error);
    }
  }

  #fault(error) {
    if (error instanceof Replaced) this.#take(true);
    else this.#tell(fill(this.words.no_moves, { reason: error.message }));
  }

  #say(words, length, offered) {
    this.part("shorter-text").textContent = fill(words, { moves: this.numbers.format(length) });
    this.part("shorter-show").hidden = !offered;
    this.part("shorter").hidden = false;
  }

  /** The length in the other metric: slides are counted once the moves are all here. */
  #tellSlides(moves) {
    if (this.inSlides) {
      this.part("slides-box").hidden = moves.length === 0;
      this.part("slides").textContent = this.numbers.format(moves.length);
      return;
    }
    const counted = moves.length <= COUNTED && moves.missing(0, moves.length).length === 0;
    this.part("slides-box").hidden = moves.length === 0 || !counted;
    if (counted) this.part("slides").textContent = this.numbers.format(moves.slides());
  }

  #tellLoading(length, share) {
    if (length < LONG || share === 1) this.part("loading").hidden = true;
    else this.#tell(fill(this.words.loading, { moves: this.numbers.format(length), share: this.percent.format(share) }));
  }

  #tell(text) {
    this.part("loading").textContent = text;
    this.part("loading").hidden = false;
  }
}
