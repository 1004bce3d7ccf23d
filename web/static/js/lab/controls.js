// Buttons, slider, speed and keys that control the clock, like those of a solution's player.

import { fill } from "../board/board_rendering.js";
import { SPEEDS } from "./clock.js";

const ANNOUNCE_DELAY_MS = 500;

export class Controls {
  /**
   * @param {HTMLElement} root of the page
   * @param {import("./clock.js").Clock} clock
   * @param {() => string[]} describeMethods returns further announcements once the clock is paused
   */
  constructor(root, clock, words, numbers, describeMethods) {
    this.describeMethods = describeMethods;
    this.clock = clock;
    this.words = words;
    this.numbers = numbers;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.scrub = this.part("scrub");
    this.scrub.max = clock.last;
    for (const speed of SPEEDS) {
      const chosen = speed === clock.speed;
      this.part("speed").append(new Option(fill(words.speed, { speed: numbers.format(speed) }), speed, chosen, chosen));
    }
    const on = (name, event, act) => this.part(name).addEventListener(event, act);
    on("play", "click", () => clock.toggle());
    on("first", "click", () => clock.go(0));
    on("back", "click", () => clock.go(clock.place - 1));
    on("forward", "click", () => clock.go(clock.place + 1));
    on("last", "click", () => clock.go(clock.last));
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
    const places = { ArrowRight: clock.place + 1, ArrowLeft: clock.place - 1, Home: 0, End: clock.last };
    if (key === " ") clock.toggle();
    else if (key in places) clock.go(places[key]);
    else return;
    event.preventDefault();
  }

  /** Update the slider, texts and buttons to match the clock. */
  show() {
    const { clock, words, part } = this;
    const text = this.#describePlace();
    this.scrub.value = clock.place;
    this.scrub.setAttribute("aria-valuetext", text);
    part("place").textContent = text;
    const name = clock.playing ? "pause" : "play";
    const button = part("play");
    button.querySelector("use").setAttribute("href", `${button.dataset.icons}#${name}`);
    part("play-label").textContent = words[name];
    part("back").disabled = part("first").disabled = clock.place === 0;
    part("forward").disabled = part("last").disabled = clock.place === clock.last;
    clearTimeout(this.announceTimer);
    if (!clock.playing) this.announceTimer = setTimeout(() => (part("spoken").textContent = [text, ...this.describeMethods()].join(". ")), ANNOUNCE_DELAY_MS);
  }

  #describePlace() {
    const { clock, words, numbers } = this;
    if (clock.place === 0) return words.before_steps;
    if (clock.place === clock.last) return words.after_steps;
    return fill(words.step_of, { step: numbers.format(clock.number), steps: numbers.format(clock.steps) });
  }
}
