// The table of runs: every column sorts, and rows that the server has written anew replace the old.

const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

/** What a cell is sorted by: a number, words, or null where there is nothing yet. */
function keyOf(row, column) {
  const { value } = row.cells[column].dataset;
  if (value === "") return null;
  return Number.isNaN(Number(value)) ? value : Number(value);
}

function compare(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}

export class RunTable {
  /**
   * @param {HTMLTableElement} table
   * @param {() => void} onSorted
   */
  constructor(table, onSorted) {
    this.body = table.tBodies[0];
    this.heads = [...table.tHead.rows[0].cells];
    this.onSorted = onSorted;
    this.first = this.keys; // the order in which the methods were asked for
    this.column = null;
    this.down = false;
    for (const [column, head] of this.heads.entries()) this.#makeButton(head, column);
  }

  get keys() {
    return [...this.body.rows].map((row) => row.dataset.key);
  }

  #makeButton(head, column) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    button.addEventListener("click", () => this.#choose(column));
    head.append(button);
  }

  /** Upwards, then downwards, then as it was. */
  #choose(column) {
    if (this.column !== column) [this.column, this.down] = [column, false];
    else if (!this.down) this.down = true;
    else this.column = null;
    for (const [place, head] of this.heads.entries()) {
      if (place !== this.column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", this.down ? "descending" : "ascending");
    }
    this.sort();
    this.onSorted();
  }

  sort() {
    const { body, column, down, first } = this;
    const place = (row) => first.indexOf(row.dataset.key);
    const rows = [...body.rows].sort((a, b) => {
      if (column === null) return place(a) - place(b);
      const [one, other] = [keyOf(a, column), keyOf(b, column)];
      if (one === null || other === null) return (one === null) - (other === null) || place(a) - place(b);
      return (down ? -1 : 1) * compare(one, other) || place(a) - place(b);
    });
    if (rows.some((row, index) => row !== body.rows[index])) body.append(...rows);
  }

  /** Take over the rows that differ from those of a newer page. */
  update(newer) {
    const held = document.activeElement.closest("tr[data-key]")?.dataset.key;
    const rows = new Map([...this.body.rows].map((row) => [row.dataset.key, row]));
    for (const row of [...newer.rows]) {
      const old = rows.get(row.dataset.key);
      if (old && old.innerHTML !== row.innerHTML) old.replaceWith(document.importNode(row, true));
    }
    this.sort();
    if (held) [...this.body.rows].find((row) => row.dataset.key === held).querySelector("a")?.focus();
  }
}
