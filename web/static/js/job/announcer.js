// The status line for screen readers. It always contains what the page shows, and is read aloud when
// something new happens, but not for every improvement of a bound.

const MIN_SILENCE_MS = 8000;

export class Announcer {
  /** @param {HTMLElement} line a live region */
  constructor(line) {
    this.line = line;
    this.spokenAt = -Infinity;
    this.kind = null;
  }

  /**
   * @param {string} text what the page shows
   * @param {string} kind read aloud immediately when it changes
   */
  announce(text, kind) {
    if (text === this.text && kind === this.kind) return;
    this.text = text;
    const wait = kind === this.kind ? this.spokenAt + MIN_SILENCE_MS - performance.now() : 0;
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
    this.line.textContent = this.text; // setting the text reads it aloud even if it is the same
  }
}
