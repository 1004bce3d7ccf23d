// Buttons, slider, speed and keys that control the clock, like those of a solution's player.

import { fill } from "../board/board_rendering.js";
import { SPEEDS } from "./clock.js";

const ANNOUNCE_DELAY_MS = 500;

export class Controls {
  /**
   * @param {HTMLElement} root of the page
   * @param {import("./clock.js").Clock} clock
   * @param {() => string[]} describeMethods returns additional announcements when the clock is paused
   */
  constructor(root, clock, texts, numbers, describeMethods) {
    this.describeMethods = describeMethods;
    this.clock = clock;
    this.texts = texts;
    this.numbers = numbers;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.scrub = this.part("scrub");
    this.scrub.max = clock.lastPosition;
    for (const speed of SPEEDS) {
      const isSelected = speed === clock.speed;
      this.part("speed").append(new Option(fill(texts.speed, { speed: numbers.format(speed) }), speed, isSelected, isSelected));
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

  /** Update the slider, texts and buttons to match the clock. */
  show() {
    const { clock, texts, part } = this;
    const text = this.#describePosition();
    this.scrub.value = clock.position;
    this.scrub.setAttribute("aria-valuetext", text);
    part("position").textContent = text;
    const name = clock.playing ? "pause" : "play";
    const button = part("play");
    button.querySelector("use").setAttribute("href", `${button.dataset.icons}#${name}`);
    part("play-label").textContent = texts[name];
    part("back").disabled = part("first").disabled = clock.position === 0;
    part("forward").disabled = part("last").disabled = clock.position === clock.lastPosition;
    clearTimeout(this.announceTimer);
    if (!clock.playing) this.announceTimer = setTimeout(() => (part("announcement").textContent = [text, ...this.describeMethods()].join(". ")), ANNOUNCE_DELAY_MS);
  }

  #describePosition() {
    const { clock, texts, numbers } = this;
    if (clock.position === 0) return texts.before_steps;
    if (clock.position === clock.lastPosition) return texts.after_steps;
    return fill(texts.step_of, { step: numbers.format(clock.number), steps: numbers.format(clock.steps) });
  }
}
