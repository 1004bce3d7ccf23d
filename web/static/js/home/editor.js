// Editing a board by hand: slide tiles into the blank, or exchange any two. The text field stays the
// one truth; an edit writes there, and the judged text comes back to be shown.

import { boardText } from "../board/board_text.js";
import { CanvasBoard } from "../board/canvas_board.js";
import { describe, fill } from "../board/make_board.js";
import { LARGEST_SIDE, TileBoard } from "../board/tile_board.js";

export class Editor {
  /**
   * @param {HTMLElement} host
   * @param {object} words
   * @param {(text: string) => void} onEdit gets the text of every edited board
   */
  constructor(host, words, onEdit) {
    this.host = host;
    this.words = words;
    this.onEdit = onEdit;
    this.mode = "slide";
    this.locked = false;
    this.held = null;
    this.tiles = [];
    this.label = host.getAttribute("aria-label");
    host.addEventListener("click", (event) => this.#click(event));
    host.addEventListener("keydown", (event) => this.#key(event));
  }

  setMode(mode) {
    this.mode = mode;
    this.#hold(null);
  }

  /** Show a checked board; elements are recreated only for another size or goal. */
  show(tiles, width, goal) {
    const shape = `${width} ${goal.join(" ")}`;
    this.tiles = tiles;
    this.width = width;
    this.goal = goal;
    if (shape !== this.shape) {
      this.shape = shape;
      const editable = Math.max(width, tiles.length / width) <= LARGEST_SIDE;
      this.board = editable
        ? new TileBoard(this.host, width, tiles.length / width, goal, "button")
        : new CanvasBoard(this.host, width, tiles.length / width, goal);
      this.host.setAttribute("role", editable ? "group" : "img");
      this.host.setAttribute("aria-label", editable ? this.label : describe(tiles, width, goal, this.words));
      this.focusCell = 0;
    }
    this.#draw();
  }

  #draw() {
    this.board.draw(this.tiles);
    if (!(this.board instanceof TileBoard)) return;
    this.tiles.forEach((number, cell) => {
      const tile = this.board.tiles.get(number);
      tile.tabIndex = cell === this.focusCell ? 0 : -1;
      tile.dataset.cell = cell;
      const row = Math.floor(cell / this.width) + 1;
      tile.setAttribute("aria-label", fill(this.words.cell, { tile: number || this.words.blank, row, column: (cell % this.width) + 1 }));
    });
  }

  #click(event) {
    const tile = event.target.closest(".tile");
    if (!tile || this.locked) return;
    const cell = Number(tile.dataset.cell);
    this.focusCell = cell;
    if (this.mode === "slide") this.#slide(cell);
    else this.#exchange(cell);
  }

  /** Move the tile, and those between it and the blank, if they are in one row or column. */
  #slide(cell) {
    const blank = this.tiles.indexOf(0);
    const sameRow = Math.floor(cell / this.width) === Math.floor(blank / this.width);
    const sameColumn = cell % this.width === blank % this.width;
    if (cell === blank || !(sameRow || sameColumn)) return;
    const step = (sameRow ? 1 : this.width) * Math.sign(cell - blank);
    const tiles = [...this.tiles];
    for (let place = blank; place !== cell; place += step) tiles[place] = tiles[place + step];
    tiles[cell] = 0;
    this.#edited(tiles);
  }

  #exchange(cell) {
    if (this.held === null) {
      this.#hold(cell);
      return;
    }
    const held = this.tiles[this.held];
    this.#hold(null);
    this.exchange(held, this.tiles[cell]);
  }

  /** Have two tiles change places. */
  exchange(one, other) {
    this.#edited(this.tiles.map((tile) => (tile === one ? other : tile === other ? one : tile)));
  }

  #hold(cell) {
    this.host.querySelector(".tile-held")?.classList.remove("tile-held");
    this.held = cell;
    if (cell === null) return;
    const tile = this.board.tiles.get(this.tiles[cell]);
    tile.classList.add("tile-held");
    tile.setAttribute("aria-label", fill(this.words.held, { tile: this.tiles[cell] || this.words.blank }));
  }

  #edited(tiles) {
    this.tiles = tiles;
    this.#draw();
    this.onEdit(boardText(tiles, this.width));
  }

  /** Arrow keys go from cell to cell, as in any grid. */
  #key(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const tile = event.target.closest(".tile");
    if (!tile || !(event.key in steps)) return;
    event.preventDefault();
    const cell = Number(tile.dataset.cell);
    const [across, down] = steps[event.key];
    const column = (cell % this.width) + across;
    const row = Math.floor(cell / this.width) + down;
    const height = this.tiles.length / this.width;
    if (column < 0 || column >= this.width || row < 0 || row >= height) return;
    this.focusCell = row * this.width + column;
    this.#draw();
    this.board.tiles.get(this.tiles[this.focusCell]).focus();
  }
}
