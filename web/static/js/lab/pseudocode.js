// The pseudocode of a method: the line at which the search stands is lit, and those that the step
// went through are marked, with how often where that is more than once.

export class Pseudocode {
  /** @param {HTMLOListElement} list */
  constructor(list, numbers) {
    this.numbers = numbers;
    this.lines = [...list.children].map((element) => ({
      element,
      moments: element.dataset.moments.split(" "),
      words: element.querySelector(".code-words").textContent,
      count: element.querySelector(".code-count"),
    }));
    this.lit = null;
  }

  /** @param {{at: string | null, passed: Map<string, number>}} moment as `momentOf` has it */
  show({ at, passed }) {
    this.lit = this.lines.find(({ moments }) => moments.includes(at)) ?? null;
    for (const line of this.lines) {
      const times = line.moments.reduce((sum, name) => sum + (passed.get(name) ?? 0), 0);
      line.element.classList.toggle("code-passed", times > 0);
      line.count.textContent = times > 1 ? `× ${this.numbers.format(times)}` : "";
      if (line === this.lit) line.element.setAttribute("aria-current", "step");
      else line.element.removeAttribute("aria-current");
    }
  }

  /** The words of the line that is lit, without its colon. */
  get words() {
    return this.lit?.words.replace(/:$/, "") ?? "";
  }
}
