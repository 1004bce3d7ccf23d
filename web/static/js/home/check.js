// What the service says of the board in a text field, asked while it is typed: one question at a
// time, and only the answer to the last one is shown.

const PAUSE_MS = 250;

export class Check {
  /**
   * @param {HTMLTextAreaElement} text has the address to ask, and whether several boards are taken
   * @param {() => object} goal gives the fields of the goal
   * @param {(answer: string) => void} show gets HTML of this site
   */
  constructor(text, goal, show) {
    this.text = text;
    this.goal = goal;
    this.show = show;
    text.addEventListener("input", () => {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.ask(), PAUSE_MS);
    });
  }

  async ask() {
    clearTimeout(this.pause);
    this.question?.abort();
    const question = new AbortController();
    this.question = question;
    const { check, several } = this.text.dataset;
    const body = new URLSearchParams({ board: this.text.value, ...this.goal(), ...(several && { several }) });
    try {
      const answer = await fetch(check, { method: "POST", body, signal: question.signal });
      const said = await answer.text();
      if (answer.ok && this.question === question) this.show(said);
    } catch {
      // A newer question, or no connection: what was said before stays.
    }
  }
}
