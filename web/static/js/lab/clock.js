// One clock for all methods: it counts the steps that any of their traces contains.

export const SPEEDS = [1, 2, 4, 8, 16, 60, 250];
const FIRST_SPEED = 4;

export class Clock {
  /**
   * @param {import("./search_tree.js").SearchTree[]} trees
   * @param {(clock: Clock) => void} onChange
   */
  constructor(trees, onChange) {
    this.onChange = onChange;
    this.speed = FIRST_SPEED;
    this.playing = false;
    this.place = 0;
    this.steps = Math.max(...trees.map(({ expanded }) => expanded));
    const recorded = new Set(trees.flatMap(({ steps }) => steps.map(({ number }) => number)));
    // The start, the recorded steps, and one step after each end.
    for (const { expanded } of trees) recorded.add(expanded + 1);
    this.numbers = [0, ...[...recorded].sort((a, b) => a - b)];
  }

  /** The number of the current step. */
  get number() {
    return this.numbers[this.place];
  }

  get last() {
    return this.numbers.length - 1;
  }

  /** Return the place of a step number, or of the recorded step before it. */
  placeOf(number) {
    return this.numbers.findLastIndex((recorded) => recorded <= number);
  }

  /** Stop playing and go to a place, clamped to the valid range. */
  go(place) {
    this.playing = false;
    this.#set(place);
  }

  toggle() {
    if (this.playing) this.go(this.place);
    else this.#play();
  }

  #set(place) {
    this.place = Math.max(0, Math.min(this.last, Math.round(place)));
    if (this.place === this.last) this.playing = false;
    this.onChange(this);
  }

  #play() {
    this.playing = true;
    this.#set(this.place === this.last ? 0 : this.place + 1); // show the first step immediately
    let before = performance.now();
    let dueSteps = 0;
    const run = (this.run = Symbol("run")); // so that a stopped run does not resume with the next one
    const frame = (now) => {
      if (!this.playing || this.run !== run) return;
      dueSteps += Math.min(250, now - before) * (this.speed / 1000);
      before = now;
      const whole = Math.floor(dueSteps);
      if (whole > 0) {
        dueSteps -= whole;
        this.#set(this.place + whole);
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}
