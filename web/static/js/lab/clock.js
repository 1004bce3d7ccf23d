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
