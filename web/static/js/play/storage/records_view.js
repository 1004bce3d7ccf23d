// The table of the best games, and the export of all games.

import { formatClock } from "../view/clock_format.js";
import { findBestGames, loadGames } from "./records.js";

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
    const best = findBestGames(loadGames());
    const rows = best.map(({ size, kind, games, time, moves, slides }) => {
      const row = document.createElement("tr");
      const name = document.createElement("th");
      name.scope = "row";
      name.textContent = `${size} · ${this.words.kinds[kind] ?? kind}`;
      row.append(name);
      for (const text of [formatClock(time.ms), moves.moves, slides.slides, games]) {
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
    const text = JSON.stringify({ games: loadGames() }, null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "tilework-games.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}
