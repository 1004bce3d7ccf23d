// One clock for all methods: it counts steps, and knows those that some method keeps.

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
    const kept = new Set(trees.flatMap(({ steps }) => steps.map(({ number }) => number)));
    // The start, what is kept, each end, and one more at which all have ended.
    for (const { expanded } of trees) kept.add(expanded + 1);
    this.numbers = [0, ...[...kept].sort((a, b) => a - b)];
  }

  /** The step that the clock shows. */
  get number() {
    return this.numbers[this.place];
  }

  get last() {
    return this.numbers.length - 1;
  }

  /** The nearest place at which a step of a number is shown, or the one before it. */
  placeOf(number) {
    return this.numbers.findLastIndex((kept) => kept <= number);
  }

  /** Stop playing and go to a place; those out of range are clamped. */
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
    this.#set(this.place === this.last ? 0 : this.place + 1); // the first step at once
    let before = performance.now();
    let owed = 0;
    const run = (this.run = Symbol("run")); // one that was stopped does not wake up with the next
    const frame = (now) => {
      if (!this.playing || this.run !== run) return;
      owed += Math.min(250, now - before) * (this.speed / 1000);
      before = now;
      const whole = Math.floor(owed);
      if (whole > 0) {
        owed -= whole;
        this.#set(this.place + whole);
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}
