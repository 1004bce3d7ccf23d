// Checks the board in a text field on the server as the visitor types; each request cancels the previous one.
// An empty board needs no request.

const PAUSE_MS = 250;

export class BoardCheck {
  /**
   * @param {HTMLTextAreaElement} text its data attributes give the URL, and whether several boards are accepted
   * @param {() => object} goal returns the fields of the goal
   * @param {(response: string) => void} show called with the server's HTML; empty for an empty board
   */
  constructor(text, goal, show) {
    this.text = text;
    this.goal = goal;
    this.show = show;
    text.addEventListener("input", () => {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.request(), PAUSE_MS);
    });
  }

  async request() {
    clearTimeout(this.pause);
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    try {
      const html = await (this.text.value.trim() ? this.#fetchVerdict(controller.signal) : "");
      if (html !== null && this.controller === controller) this.show(html);
    } catch {
      // Cancelled, or no connection: the last result stays.
    }
  }

  async #fetchVerdict(signal) {
    const { check, several } = this.text.dataset;
    const body = new URLSearchParams({ board: this.text.value, ...this.goal(), ...(several && { several }) });
    const response = await fetch(check, { method: "POST", body, signal });
    return response.ok ? response.text() : null;
  }
}
