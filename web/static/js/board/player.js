// The player: a clock that walks a playback and a row of controls that steer it.

import { describe, fill, makeBoard } from "./make_board.js";

const ARROWS = ["↑", "↓", "←", "→"];
const SPEEDS = [1, 2, 4, 8, 16, 30, 60, 120, 250, 500, 5000, 50000, 500000, 5000000];
const SLIDE_UP_TO = 20; // moves a second; faster than this, tiles jump
const COMFORTABLE_SECONDS = 10;
const QUIET_MS = 500;

export class Player {
  /**
   * @param {HTMLElement} root the `.player` section
   * @param {import("./playback.js").Playback} playback
   * @param {ArrayLike<number>} goal
   * @param {object} words
   * @param {(error: Error) => void} onFault told when moves cannot be fetched
   */
  constructor(root, playback, goal, words, onFault) {
    this.playback = playback;
    this.goal = goal;
    this.words = words;
    this.onFault = onFault;
    this.playing = false;
    this.wanted = null; // a position whose moves are on their way
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.host = this.part("board");
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.board = makeBoard(this.host, playback.width, playback.height, goal);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.ending = new AbortController();
    /** Told the position whenever another board is shown. */
    this.onPlace = () => {};
    /** Kept once somebody goes anywhere: until then most of a long solution need not be here. */
    this.used = new Promise((resolve) => { this.touch = resolve; });
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
    const comfortable = this.playback.length / COMFORTABLE_SECONDS;
    const chosen = SPEEDS.find((speed) => speed >= Math.max(4, comfortable)) ?? SPEEDS.at(-1);
    select.replaceChildren();
    for (const speed of SPEEDS) {
      const text = fill(this.words.speed, { speed: this.numbers.format(speed) });
      select.append(new Option(text, speed, speed === chosen, speed === chosen));
    }
    this.#setSpeed(chosen);
  }

  #listen(root) {
    const { signal } = this.ending;
    const on = (name, event, act) => this.part(name).addEventListener(event, act, { signal });
    on("play", "click", () => this.toggle());
    on("back", "click", () => this.go(this.playback.position - 1));
    on("forward", "click", () => this.go(this.playback.position + 1));
    on("first", "click", () => this.go(0));
    on("last", "click", () => this.go(this.playback.length));
    on("scrub", "input", () => this.go(Number(this.part("scrub").value)));
    on("speed", "change", () => this.#setSpeed(Number(this.part("speed").value)));
    document.addEventListener("keydown", (event) => this.#key(event, root), { signal });
  }

  /** Whether the player waits at the start of the solution. */
  get untouched() {
    return !this.playing && this.wanted === null && this.playback.position === 0;
  }

  /** The share of the way that the visitor has come, or asked for. */
  get share() {
    return this.playback.length ? (this.wanted ?? this.playback.position) / this.playback.length : 0;
  }

  /** Go on as another player did: as fast, and playing if it played. */
  goOn({ speed, playing }) {
    this.part("speed").value = String(speed);
    this.#setSpeed(speed);
    if (playing) this.play();
  }

  /** Release the controls, for a player of a better solution. */
  dispose() {
    this.pause();
    clearTimeout(this.telling);
    this.ending.abort();
  }

  #key(event, root) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (!root.contains(target) && !target.contains(root)) return; // a click beside all fields is on the page
    if (target.matches("select, input")) return; // they know these keys themselves
    if (key === " " && target.matches("button, a, summary")) return;
    const { position, length } = this.playback;
    const places = { ArrowRight: position + 1, ArrowDown: position + 10, ArrowLeft: position - 1, ArrowUp: position - 10, Home: 0, End: length };
    const scrolls = (key === "ArrowUp" || key === "ArrowDown") && target !== this.host;
    if (key === " ") this.toggle();
    else if (key in places && !scrolls) this.go(places[key]);
    else return;
    event.preventDefault();
  }

  #setSpeed(speed) {
    this.speed = speed;
    const slide = this.calm.matches ? 0 : Math.min(180, Math.round(700 / speed));
    this.host.style.setProperty("--slide", `${slide}ms`);
  }

  /** Stop playing and go to a position. */
  go(position) {
    this.touch();
    const near = Math.abs(position - this.playback.position) <= 1;
    this.pause();
    this.wanted = null;
    if (this.playback.seek(position)) this.show(!near || this.calm.matches);
    else this.#bring(position);
  }

  /** Go to a position once its moves are here; of several, only to the last that was asked for. */
  async #bring(position) {
    this.wanted = this.playback.clamp(position);
    this.#showPlace(this.wanted);
    if (this.bringing) return;
    this.bringing = true;
    try {
      while (this.wanted !== null && !this.playback.seek(this.wanted)) await this.playback.bring(this.wanted);
      if (this.wanted === null || this.ending.signal.aborted) return;
      this.wanted = null;
      this.show(true);
    } catch (error) {
      if (!this.ending.signal.aborted) this.onFault(error);
    } finally {
      this.bringing = false;
    }
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    this.touch();
    if (this.playback.position >= this.playback.length) this.playback.seek(0);
    this.wanted = null;
    this.playing = true;
    this.#markPlaying();
    let before = performance.now();
    let owed = this.speed > SLIDE_UP_TO ? 0 : 1; // the first move at once
    const frame = (now) => {
      if (!this.playing) return;
      owed += Math.min(250, now - before) * (this.speed / 1000);
      before = now;
      const whole = Math.floor(owed);
      if (whole > 0) {
        owed -= whole;
        const next = this.playback.position + whole;
        if (this.wanted === null && this.playback.seek(next)) this.show(this.speed > SLIDE_UP_TO || this.calm.matches);
        else if (this.wanted === null) this.#bring(next);
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
    this.#tell();
  }

  #markPlaying() {
    const button = this.part("play");
    const name = this.playing ? "pause" : "play";
    button.querySelector("use").setAttribute("href", `${button.dataset.icons}#${name}`);
    button.querySelector("[data-part=play-label]").textContent = this.words[name];
  }

  /** Update board, slider and text to match the playback. */
  show(jump) {
    const { last } = this.playback;
    this.board.draw(this.playback.cells, jump);
    this.#showPlace(this.playback.position);
    this.part("last-move").textContent = last ? `${last.tile} ${ARROWS[last.move]}` : "";
    this.onPlace(this.playback.position);
    if (!this.playing) this.#tell();
  }

  #showPlace(position) {
    const text = fill(this.words.move_of, {
      move: this.numbers.format(position),
      moves: this.numbers.format(this.playback.length),
    });
    this.part("scrub").value = position;
    this.part("scrub").setAttribute("aria-valuetext", text);
    this.part("place").textContent = text;
    this.part("last-move").textContent = "";
  }

  /** Put the board in words once things have been quiet for a moment. */
  #tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      if (this.playing) return;
      const words = describe(this.playback.cells, this.playback.width, this.goal, this.words);
      this.host.setAttribute("aria-label", words);
      this.part("spoken").textContent = `${this.part("place").textContent}. ${this.part("last-move").textContent}`;
    }, QUIET_MS);
  }
}
