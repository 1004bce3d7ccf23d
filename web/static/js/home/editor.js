// The board editor: slides tiles into the blank, and takes typed numbers. An edit changes the text field, whose
// checked content is then shown here. Cells of a sketch, an unfinished or invalid board, only take numbers.

import { formatBoard, makeTile, MAX_SIDE, TileBoard } from "../board/board.js";
import { CanvasBoard } from "../board/canvas_board.js";
import { gettext } from "../texts.js";
import { make } from "../elements.js";

// An editable board that is too large for separate tiles: a frame marks the focused cell, which is
// announced.
class EditableCanvasBoard extends CanvasBoard {
  /** Takes the same parameters as `TileBoard`. */
  constructor(host, width, height, goal) {
    super(host, width, height, goal);
    this.field.tabIndex = 0;
    this.field.setAttribute("role", "application");
    this.field.setAttribute("aria-label", host.getAttribute("aria-label"));
    this.announcement = this.field.appendChild(make("span", { className: "off-screen", role: "status" }));
  }

  /** @param {number} focus @param {string} description description of the focused cell */
  frame(focus, description) {
    this.markFocus(focus);
    if (document.activeElement === this.field) this.announcement.textContent = description;
  }
}

// An unfinished or invalid board: each cell has any text, and one can be marked as invalid.
class SketchBoard {
  constructor(host, width, height) {
    host.style.setProperty("--columns", width);
    host.style.setProperty("--rows", height);
    host.classList.remove("board-solved");
    this.cells = Array.from({ length: width * height }, (_, cell) => makeCell(cell % width, Math.floor(cell / width)));
    this.field = make("div", { className: "board-field" }, ...this.cells);
    host.replaceChildren(this.field);
  }

  draw(texts, mark) {
    this.cells.forEach((cell, index) => {
      const text = String(texts[index] || "");
      cell.className = `tile${text ? "" : " tile-blank"}${index === mark ? " tile-invalid" : ""}`;
      cell.querySelector(".tile-text").textContent = text.length > 4 ? `${text.slice(0, 3)}…` : text;
    });
  }
}

function makeCell(column, row) {
  const tile = makeTile("button");
  tile.style.setProperty("--column", column);
  tile.style.setProperty("--row", row);
  return tile;
}

/** Return the tiles with the blank in the last empty cell, if each of the others has a number of its own. */
function placeBlank(tiles) {
  const isLast = tiles.every((_, number) => number === 0 || tiles.includes(number)) && !tiles.includes(0);
  return isLast ? tiles.map((tile) => (tile === "" ? 0 : tile)) : tiles;
}

export class Editor {
  /** @param {(text: string, isComplete: boolean) => void} onEdit called with the board's text after each edit */
  constructor(host, onEdit) {
    this.host = host;
    this.onEdit = onEdit;
    this.mode = "slide";
    this.isLocked = false;
    this.input = this.#makeInput(); // brings up the keyboard of a phone
    this.#endNumber();
    this.tiles = new Array(16).fill(0);
    this.width = 4;
    this.focusCell = 0;
    host.addEventListener("click", (event) => this.#handleClick(event));
    host.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  #makeInput() {
    const input = make("input", { className: "tile-input", inputMode: "numeric", enterKeyHint: "next", autocomplete: "off", tabIndex: -1 });
    input.addEventListener("input", () => this.#type(input.value));
    return input;
  }

  get height() {
    return this.tiles.length / this.width;
  }

  setMode(mode) {
    this.mode = mode;
    this.#endNumber();
  }

  /** Show a checked board; elements are recreated only for a new size or goal. */
  show(tiles, width, goal) {
    const shape = `${width} ${goal.join(" ")}`;
    if (String(tiles) !== String(this.tiles)) this.#endNumber();
    const hadFocus = this.#adopt(tiles, width);
    this.goal = goal;
    if (shape !== this.shape) {
      this.shape = shape;
      const isReadable = Math.max(width, this.height) <= MAX_SIDE;
      this.board = isReadable
        ? new TileBoard(this.host, width, this.height, goal, "button")
        : new EditableCanvasBoard(this.host, width, this.height, goal);
    }
    this.#draw();
    if (hadFocus) this.#focus();
  }

  /**
   * Show an empty or invalid board. Its cells can be filled if all of them are shown.
   * @param {{rows: string[][], width: number, height: number, mark: ?number[]}} sketch the first rows and columns of
   * the board, and the row and column of the cell at fault
   */
  showSketch({ rows, width, height, mark }) {
    const isWhole = Math.max(width, height) <= MAX_SIDE;
    const [columns, lines] = isWhole ? [width, height] : [Math.max(...rows.map((row) => row.length)), rows.length];
    const texts = Array.from({ length: columns * lines }, (_, cell) => rows[Math.floor(cell / columns)]?.[cell % columns] ?? "");
    const tiles = texts.map((text) => (/^\d+$/.test(text) ? Number(text) : /^[x_.*]$/i.test(text) ? "" : text));
    this.#endNumber();
    const hadFocus = this.#adopt(tiles, columns);
    this.isLocked = !isWhole;
    this.shape = "";
    this.mark = mark && mark[1] < columns ? mark[0] * columns + mark[1] : null;
    this.board = new SketchBoard(this.host, columns, lines);
    this.#draw();
    if (hadFocus) this.#focus();
  }

  /** Take over tiles; return whether the focus is on the board that shows the old ones. */
  #adopt(tiles, width) {
    if (width !== this.width || tiles.length !== this.tiles.length) this.focusCell = 0;
    [this.tiles, this.width, this.mark] = [tiles, width, null];
    return this.host.contains(document.activeElement);
  }

  get isTyping() {
    return this.mode === "type" || this.board instanceof SketchBoard;
  }

  #draw() {
    this.board.draw(this.tiles, this.mark);
    if (this.board instanceof EditableCanvasBoard) {
      this.board.frame(this.focusCell, this.#describeCell(this.focusCell));
      return;
    }
    this.tiles.forEach((_number, cell) => {
      const tile = this.#tileAt(cell);
      tile.tabIndex = cell === this.focusCell ? 0 : -1;
      tile.dataset.cell = cell;
      tile.setAttribute("aria-label", this.#describeCell(cell));
      tile.classList.toggle("tile-selected", this.isTyping && cell === this.focusCell);
    });
    if (!this.isTyping) return;
    this.input.setAttribute("aria-label", this.#describeCell(this.focusCell));
    if (this.input.parentElement !== this.host) this.host.append(this.input);
  }

  #tileAt(cell) {
    return this.board instanceof SketchBoard ? this.board.cells[cell] : this.board.tiles.get(this.tiles[cell]);
  }

  #describeCell(cell) {
    const row = Math.floor(cell / this.width) + 1;
    const tile = this.tiles[cell] === "" ? gettext("empty") : this.tiles[cell] || gettext("blank");
    return gettext("{tile}, row {row}, column {column}", { tile, row, column: (cell % this.width) + 1 });
  }

  #handleClick(event) {
    const cell = this.#findCell(event);
    if (cell === null || this.isLocked) return;
    if (this.isTyping) {
      this.moveTo(cell);
      return;
    }
    this.#endNumber();
    this.focusCell = cell;
    this.#slide(cell);
  }

  #findCell(event) {
    if (this.board instanceof EditableCanvasBoard) return this.board.cellAt(event);
    const tile = event.target.closest(".tile");
    return tile ? Number(tile.dataset.cell) : null;
  }

  /** Move the tile, and those between it and the blank, if it is in the blank's row or column. */
  #slide(cell) {
    const blank = this.tiles.indexOf(0);
    const sameRow = Math.floor(cell / this.width) === Math.floor(blank / this.width);
    const sameColumn = cell % this.width === blank % this.width;
    if (cell === blank || !(sameRow || sameColumn)) return;
    const step = (sameRow ? 1 : this.width) * Math.sign(cell - blank);
    const tiles = [...this.tiles];
    for (let current = blank; current !== cell; current += step) tiles[current] = tiles[current + step];
    tiles[cell] = 0;
    this.#applyEdit(tiles);
  }

  /** Put a typed number into the cell; its old place takes the tile from here, so a complete board stays complete. */
  #type(text) {
    if (this.isLocked || !/^\d+$/.test(text)) return;
    if (Number(text) >= this.tiles.length) {
      // The digit begins another number.
      if (text.length > 1) this.#type(text.at(-1));
      return;
    }
    this.number = this.input.value = text;
    this.before ??= this.tiles;
    this.tiles = this.before;
    if (this.board instanceof SketchBoard) this.#fill(Number(text));
    else this.swap(Number(text), this.before[this.focusCell]);
    this.#focus();
  }

  #endNumber() {
    this.number = this.input.value = "";
    this.before = null; // the tiles before the first digit
  }

  /** Continue with a cell. */
  moveTo(cell) {
    this.#endNumber();
    this.focusCell = cell;
    this.#draw();
    this.#focus();
  }

  #focus() {
    if (this.isTyping) this.input.focus({ preventScroll: true });
    else if (this.board instanceof TileBoard) this.#tileAt(this.focusCell).focus();
  }

  /** Put a number into the cell of a sketch, and leave its old place empty. */
  #fill(number) {
    this.mark = null;
    this.#applyEdit(placeBlank(this.tiles.map((tile, cell) => (cell === this.focusCell ? number : tile === number ? "" : tile))));
  }

  /** Swap two tiles. */
  swap(first, second) {
    this.#applyEdit(this.tiles.map((tile) => (tile === first ? second : tile === second ? first : tile)));
  }

  #applyEdit(tiles) {
    this.tiles = tiles;
    this.#draw();
    this.onEdit(formatBoard(tiles.map((tile) => (tile === "" ? "." : tile)), this.width), !tiles.includes(""));
  }

  /** Move between cells with arrow keys, as in any grid, and after a number also with Tab and Enter. */
  #handleKey(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const { key, target, ctrlKey, metaKey } = event;
    if (!this.board || ctrlKey || metaKey) return;
    const next = this.focusCell + (event.shiftKey ? -1 : 1);
    if (this.number && (key === "Enter" || (key === "Tab" && next in this.tiles))) {
      event.preventDefault();
      this.moveTo(next in this.tiles ? next : this.focusCell);
    } else if (key in steps) {
      event.preventDefault();
      const [across, down] = steps[key];
      const column = (this.focusCell % this.width) + across;
      const row = Math.floor(this.focusCell / this.width) + down;
      if (column >= 0 && column < this.width && row >= 0 && row < this.height) this.moveTo(row * this.width + column);
    } else if (target === this.input) {
      if (key === "Enter") event.preventDefault(); // it would submit the form
    } else if (/^\d$/.test(key)) {
      event.preventDefault();
      this.#type(this.number + key);
    } else if (this.board instanceof EditableCanvasBoard && (key === "Enter" || key === " ")) {
      event.preventDefault();
      if (!this.isLocked) this.#slide(this.focusCell);
    }
  }
}
