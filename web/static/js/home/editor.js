// The board editor: slides tiles into the blank, or swaps any two. An edit changes the text field, whose
// checked content is then shown here.

import { formatBoard } from "../board/board_format.js";
import { fill } from "../board/board_rendering.js";
import { MAX_SIDE, TileBoard } from "../board/tile_board.js";
import { EditableCanvasBoard } from "./editable_canvas.js";

export class Editor {
  /**
   * @param {HTMLElement} host
   * @param {object} words
   * @param {(text: string) => void} onEdit called with the text of every edited board
   */
  constructor(host, words, onEdit) {
    this.host = host;
    this.words = words;
    this.onEdit = onEdit;
    this.mode = "slide";
    this.isLocked = false;
    this.held = null;
    this.tiles = [];
    this.label = host.getAttribute("aria-label");
    host.addEventListener("click", (event) => this.#handleClick(event));
    host.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  setMode(mode) {
    this.mode = mode;
    this.#hold(null);
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
      this.held = null;
      const isReadable = Math.max(width, tiles.length / width) <= MAX_SIDE;
      this.board = isReadable
        ? new TileBoard(this.host, width, tiles.length / width, goal, "button")
        : new EditableCanvasBoard(this.host, width, tiles.length / width, goal);
    }
    this.#draw();
  }

  /** Stop editing, because the board is replaced by another picture. */
  release() {
    this.isLocked = true;
    this.shape = "";
    this.board = null;
  }

  #draw() {
    this.board.draw(this.tiles);
    if (this.board instanceof EditableCanvasBoard) {
      const held = this.held !== null && this.held === this.focusCell;
      this.board.frame(this.focusCell, this.held, held ? this.#describeHeld(this.held) : this.#describeCell(this.focusCell));
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
    return fill(this.words.cell, { tile: this.tiles[cell] || this.words.blank, row, column: (cell % this.width) + 1 });
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
    else this.#swapHeld(cell);
  }

  /** Move the tile and those between it and the blank, if it is in the blank's row or column. */
  #slide(cell) {
    const blank = this.tiles.indexOf(0);
    const sameRow = Math.floor(cell / this.width) === Math.floor(blank / this.width);
    const sameColumn = cell % this.width === blank % this.width;
    if (cell === blank || !(sameRow || sameColumn)) return;
    const step = (sameRow ? 1 : this.width) * Math.sign(cell - blank);
    const tiles = [...this.tiles];
    for (let place = blank; place !== cell; place += step) tiles[place] = tiles[place + step];
    tiles[cell] = 0;
    this.#applyEdit(tiles);
  }

  #swapHeld(cell) {
    if (this.held === null) {
      this.#hold(cell);
      return;
    }
    const held = this.tiles[this.held];
    this.#hold(null);
    this.swap(held, this.tiles[cell]);
  }

  /** Swap two tiles. */
  swap(first, second) {
    this.#applyEdit(this.tiles.map((tile) => (tile === first ? second : tile === second ? first : tile)));
  }

  #hold(cell) {
    this.host.querySelector(".tile-held")?.classList.remove("tile-held");
    this.held = cell;
    if (this.board instanceof EditableCanvasBoard) this.#draw();
    if (cell === null || this.board instanceof EditableCanvasBoard) return;
    const tile = this.board.tiles.get(this.tiles[cell]);
    tile.classList.add("tile-held");
    tile.setAttribute("aria-label", this.#describeHeld(cell));
  }

  #describeHeld(cell) {
    return fill(this.words.held, { tile: this.tiles[cell] || this.words.blank });
  }

  #applyEdit(tiles) {
    this.tiles = tiles;
    this.#draw();
    this.onEdit(formatBoard(tiles, this.width));
  }

  /** Move between cells with arrow keys, as in any grid. */
  #handleKey(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const picture = this.board instanceof EditableCanvasBoard;
    if (picture && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      if (!this.isLocked) this.#editCell(this.focusCell);
      return;
    }
    if (!this.board || !(event.key in steps) || !(picture || event.target.closest(".tile"))) return;
    event.preventDefault();
    const cell = this.focusCell;
    const [across, down] = steps[event.key];
    const column = (cell % this.width) + across;
    const row = Math.floor(cell / this.width) + down;
    const height = this.tiles.length / this.width;
    if (column < 0 || column >= this.width || row < 0 || row >= height) return;
    this.focusCell = row * this.width + column;
    this.#draw();
    if (!picture) this.board.tiles.get(this.tiles[this.focusCell]).focus();
  }
}
