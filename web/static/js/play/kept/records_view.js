// The table of best games, and all of them as a file.

import { clockText } from "../view/time_text.js";
import { bestGames, keptGames } from "./records.js";

export class RecordsView {
  /**
   * @param {HTMLElement} root
   * @param {object} words
   */
  constructor(root, words) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.words = words;
    this.numbers = new Intl.NumberFormat(document.documentElement.lang);
    this.part("export").addEventListener("click", () => this.#export());
    this.show();
  }

  show() {
    const best = bestGames(keptGames());
    const rows = best.map(({ size, kind, games, time, moves, slides }) => {
      const row = document.createElement("tr");
      const name = document.createElement("th");
      name.scope = "row";
      name.textContent = `${size} · ${this.words.kinds[kind] ?? kind}`;
      row.append(name);
      for (const text of [clockText(time.ms), moves.moves, slides.slides, games]) {
        const cell = row.insertCell();
        cell.className = "figure";
        cell.textContent = typeof text === "number" ? this.numbers.format(text) : text;
      }
      return row;
    });
    this.part("records").replaceChildren(...rows);
    this.part("records-box").hidden = best.length === 0;
    this.part("no-records").hidden = best.length > 0;
  }

  #export() {
    const text = JSON.stringify({ games: keptGames() }, null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "tilework-games.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}
