// A clock that can stand still and go on; it knows nothing of the page.

export class Clock {
  /**
   * @param {number} ms what it shows at first
   * @param {() => number} now milliseconds of any steady clock
   */
  constructor(ms = 0, now = () => performance.now()) {
    this.kept = ms;
    this.now = now;
    this.since = null;
  }

  get ms() {
    return Math.round(this.kept + (this.since === null ? 0 : this.now() - this.since));
  }

  get running() {
    return this.since !== null;
  }

  start() {
    this.since ??= this.now();
  }

  stop() {
    this.kept = this.ms;
    this.since = null;
  }
}
