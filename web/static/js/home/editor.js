// The board editor: slides tiles into the blank, and takes typed numbers. An edit changes the text field, whose
// checked content is then shown here.

import { formatBoard, fill, MAX_SIDE, TileBoard } from "../board/board.js";
import { CanvasBoard } from "../board/canvas_board.js";

// An editable board that is too large for separate tiles: a frame marks the focused cell, which is
// announced.
class EditableCanvasBoard extends CanvasBoard {
  /** Takes the same parameters as `TileBoard`. */
  constructor(host, width, height, goal) {
    super(host, width, height, goal);
    this.field.tabIndex = 0;
    this.field.setAttribute("role", "application");
    this.field.setAttribute("aria-label", host.getAttribute("aria-label"));
    this.announcement = document.createElement("span");
    this.announcement.className = "off-screen";
    this.announcement.setAttribute("role", "status");
    this.field.append(this.announcement);
  }

  /** @param {number} focus @param {string} description description of the focused cell */
  frame(focus, description) {
    this.markFocus(focus);
    if (document.activeElement === this.field) this.announcement.textContent = description;
  }
}

export class Editor {
  /**
   * @param {HTMLElement} host
   * @param {object} texts
   * @param {(text: string) => void} onEdit called with the board's text after each edit
   */
  constructor(host, texts, onEdit) {
    this.host = host;
    this.texts = texts;
    this.onEdit = onEdit;
    this.mode = "slide";
    this.isLocked = false;
    this.input = this.#makeInput(); // brings up the keyboard of a phone
    this.#endNumber();
    this.tiles = new Array(16).fill(0);
    this.width = 4;
    this.label = host.getAttribute("aria-label");
    host.addEventListener("click", (event) => this.#handleClick(event));
    host.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  #makeInput() {
    const input = document.createElement("input");
    input.className = "tile-input";
    input.inputMode = "numeric";
    input.enterKeyHint = "next";
    input.autocomplete = "off";
    input.tabIndex = -1;
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
    this.tiles = tiles;
    this.width = width;
    this.goal = goal;
    if (shape !== this.shape) {
      this.shape = shape;
      this.focusCell = 0;
      const isReadable = Math.max(width, this.height) <= MAX_SIDE;
      this.board = isReadable
        ? new TileBoard(this.host, width, this.height, goal, "button")
        : new EditableCanvasBoard(this.host, width, this.height, goal);
    }
    this.#draw();
  }

  /** Stop editing, because a sketch replaces the board. */
  stopEditing() {
    this.isLocked = true;
    this.shape = "";
    this.board = null;
  }

  #draw() {
    this.board.draw(this.tiles);
    if (this.board instanceof EditableCanvasBoard) {
      this.board.frame(this.focusCell, this.#describeCell(this.focusCell));
      return;
    }
    this.tiles.forEach((number, cell) => {
      const tile = this.board.tiles.get(number);
      tile.tabIndex = cell === this.focusCell ? 0 : -1;
      tile.dataset.cell = cell;
      tile.setAttribute("aria-label", this.#describeCell(cell));
      tile.classList.toggle("tile-selected", this.mode === "type" && cell === this.focusCell);
    });
    if (this.mode !== "type") return;
    this.input.setAttribute("aria-label", this.#describeCell(this.focusCell));
    if (this.input.parentElement !== this.host) this.host.append(this.input);
  }

  #describeCell(cell) {
    const row = Math.floor(cell / this.width) + 1;
    return fill(this.texts.cell, { tile: this.tiles[cell] || this.texts.blank, row, column: (cell % this.width) + 1 });
  }

  #handleClick(event) {
    const cell = this.#findCell(event);
    if (cell === null || this.isLocked) return;
    if (this.mode === "type") {
      this.#moveTo(cell);
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

  /** Put a typed number into the cell; its old place takes the tile from here, so the board stays complete. */
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
    this.swap(Number(text), this.before[this.focusCell]);
    this.#focus();
  }

  #endNumber() {
    this.number = this.input.value = "";
    this.before = null; // the tiles before the first digit
  }

  #moveTo(cell) {
    this.#endNumber();
    this.focusCell = cell;
    this.#draw();
    this.#focus();
  }

  #focus() {
    if (this.mode === "type") this.input.focus({ preventScroll: true });
    else if (this.board instanceof TileBoard) this.board.tiles.get(this.tiles[this.focusCell]).focus();
  }

  /** Swap two tiles. */
  swap(first, second) {
    this.#applyEdit(this.tiles.map((tile) => (tile === first ? second : tile === second ? first : tile)));
  }

  #applyEdit(tiles) {
    this.tiles = tiles;
    this.#draw();
    this.onEdit(formatBoard(tiles, this.width));
  }

  /** Move between cells with arrow keys, as in any grid, and after a number also with Tab and Enter. */
  #handleKey(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const { key, target, ctrlKey, metaKey } = event;
    if (!this.board || ctrlKey || metaKey) return;
    const next = this.focusCell + (event.shiftKey ? -1 : 1);
    if (this.number && (key === "Enter" || (key === "Tab" && next in this.tiles))) {
      event.preventDefault();
      this.#moveTo(next in this.tiles ? next : this.focusCell);
    } else if (key in steps) {
      event.preventDefault();
      const [across, down] = steps[key];
      const column = (this.focusCell % this.width) + across;
      const row = Math.floor(this.focusCell / this.width) + down;
      if (column >= 0 && column < this.width && row >= 0 && row < this.height) this.#moveTo(row * this.width + column);
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
