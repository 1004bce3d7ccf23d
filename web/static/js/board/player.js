// The player: plays a solution and handles its controls.

import { describeBoard, makeBoard } from "./board.js";
import { formatNumber } from "../numbers.js";
import { gettext } from "../texts.js";

const ARROWS = ["↑", "↓", "←", "→"];
const SPEEDS = [1, 2, 4, 8, 16, 30, 60, 120, 250, 500, 5000, 50000, 500000, 5000000];
const MAX_SLIDE_SPEED = 20; // moves per second; above it, tiles jump
const DEFAULT_DURATION_S = 10;
const MAX_SLOWDOWN = 64; // the selection contains speeds from 64 times slower than the default
const MAX_SPEEDUP = 8; // to 8 times faster
const ANNOUNCE_DELAY_MS = 500;

/** Format a move of a tile, as in “8 ↑”. */
export const formatMove = ({ tile, move }) => `${tile} ${ARROWS[move]}`;

export class Player {
  /**
   * @param {HTMLElement} root the `.player` section
   * @param {(error: Error) => void} onError called when moves cannot be fetched
   */
  constructor(root, playback, goal, onError) {
    this.playback = playback;
    this.goal = goal;
    this.onError = onError;
    this.playing = false;
    this.target = null; // a position whose moves are being fetched
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.host = this.part("board");
    this.board = makeBoard(this.host, playback.width, playback.height, goal);
    this.reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
    this.lifetime = new AbortController();
    /** Called with the position whenever the board changes. */
    this.onPositionChange = () => {};
    /** Resolved on the first use; before that, most of a long solution need not be loaded. */
    this.whenUsed = new Promise((resolve) => { this.markUsed = resolve; });
    this.#fillControls();
    this.#listen(root);
    this.part("controls").hidden = playback.length === 0; // a solved board has nothing to play
    this.part("controls").classList.remove("awaited");
    this.show(true);
  }

  #fillControls() {
    const scrub = this.part("scrub");
    scrub.max = this.playback.length;
    const select = this.part("speed");
    const defaultSpeed = this.playback.length / DEFAULT_DURATION_S;
    const initialSpeed = SPEEDS.find((speed) => speed >= Math.max(4, defaultSpeed)) ?? SPEEDS.at(-1);
    select.replaceChildren();
    for (const speed of SPEEDS.filter((option) => option * MAX_SLOWDOWN >= initialSpeed && option <= initialSpeed * MAX_SPEEDUP)) {
      const text = gettext("{speed}/s", { speed: formatNumber(speed) });
      select.append(new Option(text, speed, speed === initialSpeed, speed === initialSpeed));
    }
    this.#setSpeed(initialSpeed);
  }

  #listen(root) {
    const { signal } = this.lifetime;
    const on = (name, event, handler) => this.part(name).addEventListener(event, handler, { signal });
    on("play", "click", () => this.toggle());
    on("back", "click", () => this.go(this.playback.position - 1));
    on("forward", "click", () => this.go(this.playback.position + 1));
    on("first", "click", () => this.go(0));
    on("last", "click", () => this.go(this.playback.length));
    on("scrub", "input", () => this.go(Number(this.part("scrub").value)));
    on("speed", "change", () => this.#setSpeed(Number(this.part("speed").value)));
    document.addEventListener("keydown", (event) => this.#handleKey(event, root), { signal });
  }

  /** Whether the player has not left the start of the solution. */
  get isUntouched() {
    return !this.playing && this.target === null && this.playback.position === 0;
  }

  /** The fraction of the solution up to the current or requested position. */
  get progress() {
    return this.playback.length ? (this.target ?? this.playback.position) / this.playback.length : 0;
  }

  /** Use the speed of another player, and play if it was playing. */
  resumeFrom({ speed, playing }) {
    const select = this.part("speed");
    if ([...select.options].some(({ value }) => Number(value) === speed)) {
      select.value = String(speed);
      this.#setSpeed(speed);
    }
    if (playing) this.play();
  }

  /** Release the controls so that another player can use them. */
  dispose() {
    this.pause();
    clearTimeout(this.announceTimer);
    this.lifetime.abort();
  }

  #handleKey(event, root) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (!root.contains(target) && !target.contains(root)) return; // a click outside all fields targets the page
    if (target.matches("select, input")) return; // they handle these keys themselves
    if (key === " " && target.matches("button, a, summary")) return;
    const { position, length } = this.playback;
    const positions = { ArrowRight: position + 1, ArrowDown: position + 10, ArrowLeft: position - 1, ArrowUp: position - 10, Home: 0, End: length };
    const scrolls = (key === "ArrowUp" || key === "ArrowDown") && target !== this.host;
    if (key === " ") this.toggle();
    else if (key in positions && !scrolls) this.go(positions[key]);
    else return;
    event.preventDefault();
  }

  #setSpeed(speed) {
    this.speed = speed;
    const slide = this.reducedMotion.matches ? 0 : Math.min(180, Math.round(700 / speed));
    this.host.style.setProperty("--slide", `${slide}ms`);
  }

  /** Stop playing and go to a position. */
  go(position) {
    this.markUsed();
    const isNear = Math.abs(position - this.playback.position) <= 1;
    this.pause();
    this.target = null;
    if (this.playback.seek(position)) this.show(!isNear || this.reducedMotion.matches);
    else this.#seekWhenFetched(position);
  }

  /** Go to a position once its moves are loaded; of several requests, only the last counts. */
  async #seekWhenFetched(position) {
    this.target = this.playback.clamp(position);
    this.#showPosition(this.target);
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      while (this.target !== null && !this.playback.seek(this.target)) await this.playback.fetchMoves(this.target);
      if (this.target === null || this.lifetime.signal.aborted) return;
      this.target = null;
      this.show(true);
    } catch (error) {
      if (!this.lifetime.signal.aborted) this.onError(error);
    } finally {
      this.isFetching = false;
    }
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    this.markUsed();
    if (this.playback.position >= this.playback.length) this.playback.seek(0);
    this.target = null;
    this.playing = true;
    this.#markPlaying();
    let previous = performance.now();
    let dueMoves = this.speed > MAX_SLIDE_SPEED ? 0 : 1; // make the first move immediately
    const frame = (now) => {
      if (!this.playing) return;
      dueMoves += Math.min(250, now - previous) * (this.speed / 1000);
      previous = now;
      const moveCount = Math.floor(dueMoves);
      if (moveCount > 0) {
        dueMoves -= moveCount;
        const next = this.playback.position + moveCount;
        if (this.target === null && this.playback.seek(next)) this.show(this.speed > MAX_SLIDE_SPEED || this.reducedMotion.matches);
        else if (this.target === null) this.#seekWhenFetched(next);
      }
      if (this.playback.position >= this.playback.length) this.pause();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#markPlaying();
    this.#announceSoon();
  }

  #markPlaying() {
    const button = this.part("play");
    const name = this.playing ? "pause" : "play";
    button.querySelector("use").setAttribute("href", `${button.dataset.icons}#${name}`);
    button.querySelector("[data-part=play-label]").textContent = this.playing ? gettext("Pause") : gettext("Play");
  }

  /** Update the board, slider and text to match the playback. */
  show(jump) {
    const { last } = this.playback;
    this.board.draw(this.playback.cells, jump);
    this.#showPosition(this.playback.position);
    this.part("last-move").textContent = last ? formatMove(last) : "";
    this.onPositionChange(this.playback.position);
    if (!this.playing) this.#announceSoon();
  }

  #showPosition(position) {
    const text = gettext("Move {move} of {moves}", {
      move: formatNumber(position),
      moves: formatNumber(this.playback.length),
    });
    this.part("scrub").value = position;
    this.part("scrub").setAttribute("aria-valuetext", text);
    this.part("position").textContent = text;
    this.part("last-move").textContent = "";
  }

  /** Describe the board to screen readers once nothing has moved for a moment. */
  #announceSoon() {
    clearTimeout(this.announceTimer);
    this.announceTimer = setTimeout(() => {
      if (this.playing) return;
      const description = describeBoard(this.playback.cells, this.playback.width, this.goal);
      this.host.setAttribute("aria-label", description);
      this.part("announcement").textContent = `${this.part("position").textContent}. ${this.part("last-move").textContent}`;
    }, ANNOUNCE_DELAY_MS);
  }
}
