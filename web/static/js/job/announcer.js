// The status line for screen readers. It always contains what the page shows. It is read aloud when
// something new happens, but not whenever a bound improves.

const MIN_SILENCE_MS = 8000;

export class Announcer {
  /** @param {HTMLElement} line a live region */
  constructor(line) {
    this.line = line;
    this.announcedAt = -Infinity;
    this.kind = null;
  }

  /**
   * @param {string} text what the page shows
   * @param {string} kind when it changes, the text is read aloud immediately
   */
  announce(text, kind) {
    if (text === this.text && kind === this.kind) return;
    this.text = text;
    const wait = kind === this.kind ? this.announcedAt + MIN_SILENCE_MS - performance.now() : 0;
    this.kind = kind;
    clearTimeout(this.timer);
    if (wait <= 0) {
      this.#readAloud();
      return;
    }
    this.line.ariaLive = "off";
    this.line.textContent = text;
    this.timer = setTimeout(() => this.#readAloud(), wait);
  }

  #readAloud() {
    this.announcedAt = performance.now();
    this.line.ariaLive = "polite";
    this.line.textContent = this.text; // setting the text reads it aloud even if it is the same
  }
}
