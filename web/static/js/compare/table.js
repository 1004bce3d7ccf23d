// The table of runs: it can be sorted by any column, and its rows are updated.

const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

/** Return the sort key of a cell: a number, text, or null if it is empty. */
function readSortKey(row, column) {
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
    this.originalOrder = this.keys; // the requested order of the methods
    this.column = null;
    this.isDescending = false;
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
    button.addEventListener("click", () => this.#changeOrder(column));
    head.append(button);
  }

  /** Sort ascending, then descending, then in the original order. */
  #changeOrder(column) {
    if (this.column !== column) [this.column, this.isDescending] = [column, false];
    else if (!this.isDescending) this.isDescending = true;
    else this.column = null;
    for (const [index, head] of this.heads.entries()) {
      if (index !== this.column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", this.isDescending ? "descending" : "ascending");
    }
    this.sort();
    this.onSorted();
  }

  sort() {
    const { body, column, isDescending, originalOrder } = this;
    const originalIndex = (row) => originalOrder.indexOf(row.dataset.key);
    const rows = [...body.rows].sort((a, b) => {
      if (column === null) return originalIndex(a) - originalIndex(b);
      const [first, second] = [readSortKey(a, column), readSortKey(b, column)];
      if (first === null || second === null) return (first === null) - (second === null) || originalIndex(a) - originalIndex(b);
      return (isDescending ? -1 : 1) * compare(first, second) || originalIndex(a) - originalIndex(b);
    });
    if (rows.some((row, index) => row !== body.rows[index])) body.append(...rows);
  }

  /** Replace the rows that differ from those of a newly fetched page. */
  update(newBody) {
    const focusedKey = document.activeElement.closest("tr[data-key]")?.dataset.key;
    const rows = new Map([...this.body.rows].map((row) => [row.dataset.key, row]));
    for (const row of [...newBody.rows]) {
      const oldRow = rows.get(row.dataset.key);
      if (oldRow && oldRow.innerHTML !== row.innerHTML) oldRow.replaceWith(document.importNode(row, true));
    }
    this.sort();
    if (focusedKey) [...this.body.rows].find((row) => row.dataset.key === focusedKey).querySelector("a")?.focus();
  }
}
