// A stopwatch that can be paused, independent of the page.

export class Clock {
  /**
   * @param {number} ms the initial time
   * @param {() => number} now returns the milliseconds of a monotonic clock
   */
  constructor(ms = 0, now = () => performance.now()) {
    this.elapsed = ms;
    this.now = now;
    this.since = null;
  }

  get ms() {
    return Math.round(this.elapsed + (this.since === null ? 0 : this.now() - this.since));
  }

  get isRunning() {
    return this.since !== null;
  }

  start() {
    this.since ??= this.now();
  }

  stop() {
    this.elapsed = this.ms;
    this.since = null;
  }
}
