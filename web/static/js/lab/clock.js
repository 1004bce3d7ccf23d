// One clock for all methods: it counts the steps that any of their traces contains.

import { gettext } from "../texts.js";
import { formatNumber } from "../numbers.js";

const SPEEDS = [1, 2, 4, 8, 16, 60, 250];
const FIRST_SPEED = 4;

export class Clock {
  /** @param {(clock: Clock) => void} onChange */
  constructor(trees, onChange) {
    this.onChange = onChange;
    this.speed = FIRST_SPEED;
    this.playing = false;
    this.position = 0;
    this.steps = Math.max(...trees.map(({ expanded }) => expanded));
    const recorded = new Set(trees.flatMap(({ steps }) => steps.map(({ number }) => number)));
    // The start, the recorded steps, and one step after each end.
    for (const { expanded } of trees) recorded.add(expanded + 1);
    this.numbers = [0, ...[...recorded].sort((a, b) => a - b)];
  }

  /** The number of the current step. */
  get number() {
    return this.numbers[this.position];
  }

  get lastPosition() {
    return this.numbers.length - 1;
  }

  /** Return the position of a step, or of the recorded step before it. */
  findPosition(number) {
    return this.numbers.findLastIndex((recorded) => recorded <= number);
  }

  /** Stop playing and go to a position, clamped to the valid range. */
  go(position) {
    this.playing = false;
    this.#set(position);
  }

  toggle() {
    if (this.playing) this.go(this.position);
    else this.#play();
  }

  #set(position) {
    this.position = Math.max(0, Math.min(this.lastPosition, Math.round(position)));
    if (this.position === this.lastPosition) this.playing = false;
    this.onChange(this);
  }

  #play() {
    this.playing = true;
    this.#set(this.position === this.lastPosition ? 0 : this.position + 1); // show the first step immediately
    let previous = performance.now();
    let dueSteps = 0;
    const run = (this.run = Symbol("run")); // so that a stopped run does not resume with the next one
    const frame = (now) => {
      if (!this.playing || this.run !== run) return;
      dueSteps += Math.min(250, now - previous) * (this.speed / 1000);
      previous = now;
      const stepCount = Math.floor(dueSteps);
      if (stepCount > 0) {
        dueSteps -= stepCount;
        this.#set(this.position + stepCount);
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}

// Buttons, slider, speed and keys that control the clock, like those of a solution's player.

const ANNOUNCE_DELAY_MS = 500;

export class Controls {
  /**
   * @param {HTMLElement} root of the page
   * @param {() => string[]} describeMethods returns additional announcements when the clock is paused
   */
  constructor(root, clock, describeMethods) {
    this.describeMethods = describeMethods;
    this.clock = clock;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.scrub = this.part("scrub");
    this.scrub.max = clock.lastPosition;
    for (const speed of SPEEDS) {
      const isSelected = speed === clock.speed;
      this.part("speed").append(new Option(gettext("{speed} steps/s", { speed: formatNumber(speed) }), speed, isSelected, isSelected));
    }
    const on = (name, event, handler) => this.part(name).addEventListener(event, handler);
    on("play", "click", () => clock.toggle());
    on("first", "click", () => clock.go(0));
    on("back", "click", () => clock.go(clock.position - 1));
    on("forward", "click", () => clock.go(clock.position + 1));
    on("last", "click", () => clock.go(clock.lastPosition));
    on("scrub", "input", () => clock.go(Number(this.scrub.value)));
    on("speed", "change", () => (clock.speed = Number(this.part("speed").value)));
    document.addEventListener("keydown", (event) => this.#handleKey(event, root));
    this.part("controls").classList.remove("awaited");
  }

  #handleKey(event, root) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!root.contains(target) && !target.contains(root)) return;
    if (target.matches("select, input")) return; // they handle these keys themselves
    if (key === " " && target.matches("button, a, summary")) return;
    const { clock } = this;
    const positions = { ArrowRight: clock.position + 1, ArrowLeft: clock.position - 1, Home: 0, End: clock.lastPosition };
    if (key === " ") clock.toggle();
    else if (key in positions) clock.go(positions[key]);
    else return;
    event.preventDefault();
  }

  /** Update the slider and buttons to match the clock. */
  show() {
    const { clock, part } = this;
    const text = this.#describePosition();
    this.scrub.value = clock.position;
    this.scrub.setAttribute("aria-valuetext", text);
    part("position").textContent = text;
    const name = clock.playing ? "pause" : "play";
    const button = part("play");
    button.querySelector("use").setAttribute("href", `${button.dataset.icons}#${name}`);
    part("play-label").textContent = clock.playing ? gettext("Pause") : gettext("Play");
    part("back").disabled = part("first").disabled = clock.position === 0;
    part("forward").disabled = part("last").disabled = clock.position === clock.lastPosition;
    clearTimeout(this.announceTimer);
    if (!clock.playing) this.announceTimer = setTimeout(() => (part("announcement").textContent = [text, ...this.describeMethods()].join(". ")), ANNOUNCE_DELAY_MS);
  }

  #describePosition() {
    const { clock } = this;
    if (clock.position === 0) return gettext("Start");
    if (clock.position === clock.lastPosition) return gettext("End");
    return gettext("Step {step} of {steps}", { step: formatNumber(clock.number), steps: formatNumber(clock.steps) });
  }
}
