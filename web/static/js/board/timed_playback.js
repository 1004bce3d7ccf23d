// Plays moves at the times at which they were made.

const FRAME_MS = 30;

export class TimedPlayback {
  /**
   * @param {number[]} times of each move in milliseconds, in order
   * @param {(count: number, ms: number) => void} show called with the number of moves made so far and the elapsed time
   * @param {() => void} onEnd called at the last move, or when stopped
   */
  constructor(times, show, onEnd = () => {}) {
    this.times = times;
    this.show = show;
    this.onEnd = onEnd;
  }

  get isRunning() {
    return this.timer !== undefined;
  }

  start() {
    const startedAt = performance.now();
    let count = 0;
    const step = () => {
      const elapsed = performance.now() - startedAt;
      while (count < this.times.length && this.times[count] <= elapsed) count += 1;
      this.show(count, elapsed);
      if (count === this.times.length) this.stop();
    };
    this.timer = setInterval(step, FRAME_MS);
    step();
  }

  stop() {
    if (!this.isRunning) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.onEnd();
  }
}
