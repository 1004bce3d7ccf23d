// The board of a game: its tiles slide, follow a drag, and can be highlighted.

import { TileBoard } from "../../board/board.js";

// The direction of the tile for each move code.
const DIRECTIONS = [
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
];

export class BoardView {
  /** @param {HTMLElement} host an element with the class `board` */
  constructor(host) {
    this.host = host;
    this.draggedTiles = [];
  }

  /** Show a game; tiles are reused if the size and goal are the same. */
  show(game) {
    const shape = `${game.width} ${game.goal.join(" ")}`;
    if (shape !== this.shape) {
      this.shape = shape;
      this.board = new TileBoard(this.host, game.width, game.height, game.goal);
      this.host.classList.toggle("board-fine", Math.max(game.width, game.height) > 12);
    }
    this.endDrag();
    this.highlight(null);
    this.draw(game, true);
    // Removed before the first move: with hundreds of tiles, removing it takes longer than a frame.
    requestAnimationFrame(() => requestAnimationFrame(() => this.host.classList.remove("board-jump")));
  }

  draw(game, jump = false) {
    this.board.draw(game.cells, jump);
  }

  get tiles() {
    return this.board.tiles;
  }

  /** Measure the cells on the screen, once per gesture because it forces a layout. */
  measure() {
    const { left, top, width } = this.board.field.getBoundingClientRect();
    return { left, top, side: width / this.board.width };
  }

  /** Return the cell at a point, or null outside the board. */
  cellAt({ left, top, side }, x, y) {
    const column = Math.floor((x - left) / side);
    const row = Math.floor((y - top) / side);
    const isInside = column >= 0 && row >= 0 && column < this.board.width && row < this.board.height;
    return isInside ? row * this.board.width + column : null;
  }

  /** Start dragging tiles; `drag` moves them. */
  startDrag(numbers) {
    this.draggedTiles = numbers.map((number) => this.tiles.get(number));
    for (const tile of this.draggedTiles) tile.classList.add("tile-dragged");
  }

  /** Offset the dragged tiles in the direction of a move. */
  drag(move, pixels) {
    const [across, down] = DIRECTIONS[move];
    for (const tile of this.draggedTiles) {
      tile.style.transform = `translate(calc(var(--column) * 100% + ${across * pixels}px), calc(var(--row) * 100% + ${down * pixels}px))`;
    }
  }

  /** Stop dragging: the tiles slide to their cells. */
  endDrag() {
    for (const tile of this.draggedTiles) {
      tile.classList.remove("tile-dragged");
      tile.style.removeProperty("transform");
    }
    this.draggedTiles = [];
  }

  /** Highlight the tile to move; null removes the highlight. */
  highlight(number) {
    this.host.querySelector(".tile-pointed")?.classList.remove("tile-pointed");
    if (number !== null) this.tiles.get(number).classList.add("tile-pointed");
  }
}
