// The board editor: slides tiles into the blank, or swaps any two. An edit changes the text field, whose
// checked content is then shown here.

import { formatBoard, fill, MAX_SIDE, TileBoard } from "../board/board.js";
import { CanvasBoard } from "../board/canvas_board.js";

// An editable board that is too large for separate tiles: frames mark the focused and the selected cell, and
// the focused cell is announced.
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

  /** @param {number} focus @param {number | null} selected @param {string} description description of the focused cell */
  frame(focus, selected, description) {
    this.mark("focus", focus);
    this.mark("selected", selected);
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
    this.selectedCell = null;
    this.tiles = new Array(16).fill(0);
    this.width = 4;
    this.label = host.getAttribute("aria-label");
    host.addEventListener("click", (event) => this.#handleClick(event));
    host.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  get height() {
    return this.tiles.length / this.width;
  }

  setMode(mode) {
    this.mode = mode;
    this.#select(null);
  }

  /** Show a checked board; elements are recreated only for a new size or goal. */
  show(tiles, width, goal) {
    const shape = `${width} ${goal.join(" ")}`;
    this.tiles = tiles;
    this.width = width;
    this.goal = goal;
    if (shape !== this.shape) {
      this.shape = shape;
      this.focusCell = 0;
      this.selectedCell = null;
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
      const isSelected = this.selectedCell !== null && this.selectedCell === this.focusCell;
      this.board.frame(this.focusCell, this.selectedCell, isSelected ? this.#describeSelected(this.selectedCell) : this.#describeCell(this.focusCell));
      return;
    }
    this.tiles.forEach((number, cell) => {
      const tile = this.board.tiles.get(number);
      tile.tabIndex = cell === this.focusCell ? 0 : -1;
      tile.dataset.cell = cell;
      tile.setAttribute("aria-label", this.#describeCell(cell));
    });
  }

  #describeCell(cell) {
    const row = Math.floor(cell / this.width) + 1;
    return fill(this.texts.cell, { tile: this.tiles[cell] || this.texts.blank, row, column: (cell % this.width) + 1 });
  }

  #handleClick(event) {
    const cell = this.#findCell(event);
    if (cell === null || this.isLocked) return;
    this.focusCell = cell;
    this.#editCell(cell);
  }

  #findCell(event) {
    if (this.board instanceof EditableCanvasBoard) return this.board.cellAt(event);
    const tile = event.target.closest(".tile");
    return tile ? Number(tile.dataset.cell) : null;
  }

  #editCell(cell) {
    if (this.mode === "slide") this.#slide(cell);
    else this.#swapSelected(cell);
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

  #swapSelected(cell) {
    if (this.selectedCell === null) {
      this.#select(cell);
      return;
    }
    const selectedTile = this.tiles[this.selectedCell];
    this.#select(null);
    this.swap(selectedTile, this.tiles[cell]);
  }

  /** Swap two tiles. */
  swap(first, second) {
    this.#applyEdit(this.tiles.map((tile) => (tile === first ? second : tile === second ? first : tile)));
  }

  #select(cell) {
    this.host.querySelector(".tile-selected")?.classList.remove("tile-selected");
    this.selectedCell = cell;
    if (this.board instanceof EditableCanvasBoard) this.#draw();
    if (cell === null || this.board instanceof EditableCanvasBoard) return;
    const tile = this.board.tiles.get(this.tiles[cell]);
    tile.classList.add("tile-selected");
    tile.setAttribute("aria-label", this.#describeSelected(cell));
  }

  #describeSelected(cell) {
    return fill(this.texts.held, { tile: this.tiles[cell] || this.texts.blank });
  }

  #applyEdit(tiles) {
    this.tiles = tiles;
    this.#draw();
    this.onEdit(formatBoard(tiles, this.width));
  }

  /** Move between cells with arrow keys, as in any grid. */
  #handleKey(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const isCanvas = this.board instanceof EditableCanvasBoard;
    if (isCanvas && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      if (!this.isLocked) this.#editCell(this.focusCell);
      return;
    }
    if (!this.board || !(event.key in steps) || !(isCanvas || event.target.closest(".tile"))) return;
    event.preventDefault();
    const cell = this.focusCell;
    const [across, down] = steps[event.key];
    const column = (cell % this.width) + across;
    const row = Math.floor(cell / this.width) + down;
    if (column < 0 || column >= this.width || row < 0 || row >= this.height) return;
    this.focusCell = row * this.width + column;
    this.#draw();
    if (!isCanvas) this.board.tiles.get(this.tiles[this.focusCell]).focus();
  }
}
