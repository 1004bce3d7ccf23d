// The table of the best games, and the export of all games.

import { saveFile } from "../../saved_file.js";
import { formatClock } from "../view/clock_format.js";
import { averageTime } from "./averages.js";
import { findBestGames, loadGames } from "./records.js";

export class RecordsView {
  /**
   * @param {HTMLElement} root
   * @param {object} texts
   */
  constructor(root, texts) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.texts = texts;
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
      name.textContent = `${size} · ${this.texts.kinds[kind] ?? kind}`;
      row.append(name);
      const averages = [5, 12].map((count) => averageTime(games, count)).map((ms) => (ms === null ? "–" : formatClock(ms)));
      for (const text of [formatClock(time.ms), ...averages, moves.moves, slides.slides, games.length]) {
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
    saveFile(new Blob([text], { type: "application/json" }), "tilework-games.json");
  }
}
