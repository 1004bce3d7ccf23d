// The pseudocode of a method: highlights the current line, and marks the lines that the step executed,
// with their counts.

export class Pseudocode {
  /** @param {HTMLOListElement} list */
  constructor(list, numbers) {
    this.numbers = numbers;
    this.lines = [...list.children].map((element) => ({
      element,
      moments: element.dataset.moments.split(" "),
      text: element.querySelector(".code-text").textContent,
      count: element.querySelector(".code-count"),
    }));
    this.current = null;
  }

  /** @param {{current: string | null, counts: Map<string, number>}} moment as returned by `findMoment` */
  show({ current, counts }) {
    this.current = this.lines.find(({ moments }) => moments.includes(current)) ?? null;
    for (const line of this.lines) {
      const times = line.moments.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
      line.element.classList.toggle("code-executed", times > 0);
      line.count.textContent = times > 1 ? `× ${this.numbers.format(times)}` : "";
      if (line === this.current) line.element.setAttribute("aria-current", "step");
      else line.element.removeAttribute("aria-current");
    }
  }

  /** The text of the current line, without its colon. */
  get text() {
    return this.current?.text.replace(/:$/, "") ?? "";
  }
}
