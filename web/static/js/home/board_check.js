// Checks the board in a text field on the server as the visitor types; each request cancels the previous one.

const PAUSE_MS = 250;

export class BoardCheck {
  /**
   * @param {HTMLTextAreaElement} text its data attributes give the URL, and whether several boards are accepted
   * @param {() => object} goal returns the fields of the goal
   * @param {(response: string) => void} show called with the server's HTML
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
    const { check, several } = this.text.dataset;
    const body = new URLSearchParams({ board: this.text.value, ...this.goal(), ...(several && { several }) });
    try {
      const response = await fetch(check, { method: "POST", body, signal: controller.signal });
      const html = await response.text();
      if (response.ok && this.controller === controller) this.show(html);
    } catch {
      // Cancelled, or no connection: the last result stays.
    }
  }
}
