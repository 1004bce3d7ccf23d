// The line for those who do not see the page: at any time it says what the page shows, and it is read
// aloud when something new has happened, but not each second that a bound gets better.

const SHORTEST_SILENCE_MS = 8000;

export class Status {
  /** @param {HTMLElement} line a live region */
  constructor(line) {
    this.line = line;
    this.spokenAt = -Infinity;
    this.kind = null;
  }

  /**
   * @param {string} text what the page shows
   * @param {string} kind what is read aloud at once where it changes
   */
  tell(text, kind) {
    if (text === this.text && kind === this.kind) return;
    this.text = text;
    const wait = kind === this.kind ? this.spokenAt + SHORTEST_SILENCE_MS - performance.now() : 0;
    this.kind = kind;
    clearTimeout(this.due);
    if (wait <= 0) {
      this.#speak();
      return;
    }
    this.line.ariaLive = "off";
    this.line.textContent = text;
    this.due = setTimeout(() => this.#speak(), wait);
  }

  #speak() {
    this.spokenAt = performance.now();
    this.line.ariaLive = "polite";
    this.line.textContent = this.text; // a text put anew is read, the same or not
  }
}
