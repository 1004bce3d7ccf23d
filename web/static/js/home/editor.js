// Editing a board by hand: slide tiles into the blank, or exchange any two. The text field stays the
// one truth; an edit writes there, and the judged text comes back to be shown.

import { boardText } from "../board/board_text.js";
import { fill } from "../board/make_board.js";
import { LARGEST_SIDE, TileBoard } from "../board/tile_board.js";
import { PictureEditing } from "./picture_editing.js";

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
      this.focusCell = 0;
      this.held = null;
      const readable = Math.max(width, tiles.length / width) <= LARGEST_SIDE;
      this.board = readable
        ? new TileBoard(this.host, width, tiles.length / width, goal, "button")
        : new PictureEditing(this.host, width, tiles.length / width, goal);
    }
    this.#draw();
  }

  #draw() {
    this.board.draw(this.tiles);
    if (this.board instanceof PictureEditing) {
      const held = this.held !== null && this.held === this.focusCell;
      this.board.frame(this.focusCell, this.held, held ? this.#heldWords(this.held) : this.#words(this.focusCell));
      return;
    }
    this.tiles.forEach((number, cell) => {
      const tile = this.board.tiles.get(number);
      tile.tabIndex = cell === this.focusCell ? 0 : -1;
      tile.dataset.cell = cell;
      tile.setAttribute("aria-label", this.#words(cell));
    });
  }

  #words(cell) {
    const row = Math.floor(cell / this.width) + 1;
    return fill(this.words.cell, { tile: this.tiles[cell] || this.words.blank, row, column: (cell % this.width) + 1 });
  }

  #click(event) {
    const cell = this.#cellOf(event);
    if (cell === null || this.locked) return;
    this.focusCell = cell;
    this.#act(cell);
  }

  #cellOf(event) {
    if (this.board instanceof PictureEditing) return this.board.cellAt(event);
    const tile = event.target.closest(".tile");
    return tile ? Number(tile.dataset.cell) : null;
  }

  #act(cell) {
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
    if (this.board instanceof PictureEditing) this.#draw();
    if (cell === null || this.board instanceof PictureEditing) return;
    const tile = this.board.tiles.get(this.tiles[cell]);
    tile.classList.add("tile-held");
    tile.setAttribute("aria-label", this.#heldWords(cell));
  }

  #heldWords(cell) {
    return fill(this.words.held, { tile: this.tiles[cell] || this.words.blank });
  }

  #edited(tiles) {
    this.tiles = tiles;
    this.#draw();
    this.onEdit(boardText(tiles, this.width));
  }

  /** Arrow keys go from cell to cell, as in any grid. */
  #key(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const picture = this.board instanceof PictureEditing;
    if (picture && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      if (!this.locked) this.#act(this.focusCell);
      return;
    }
    if (!(event.key in steps) || !(picture || event.target.closest(".tile"))) return;
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
