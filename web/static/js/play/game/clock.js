// A stopwatch that can be paused, independent of the page.

export class Clock {
  /**
   * @param {number} ms the initial time
   * @param {() => number} now returns the time of a monotonic clock in milliseconds
   */
  constructor(ms = 0, now = () => performance.now()) {
    this.elapsed = ms;
    this.now = now;
    this.startedAt = null;
  }

  get ms() {
    return Math.round(this.elapsed + (this.startedAt === null ? 0 : this.now() - this.startedAt));
  }

  get isRunning() {
    return this.startedAt !== null;
  }

  start() {
    this.startedAt ??= this.now();
  }

  stop() {
    this.elapsed = this.ms;
    this.startedAt = null;
  }
}
