// The board that is played on: tiles that slide, that follow a finger, and that can be pointed out.

import { TileBoard } from "../../board/tile_board.js";

// Of each move's code: which way its tile goes.
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
    this.pulled = [];
  }

  /** Make the tiles of a game; they are kept where size and goal are the same. */
  show(game) {
    const shape = `${game.width} ${game.goal.join(" ")}`;
    if (shape !== this.shape) {
      this.shape = shape;
      this.board = new TileBoard(this.host, game.width, game.height, game.goal);
      this.host.classList.toggle("board-fine", Math.max(game.width, game.height) > 12);
    }
    this.release();
    this.point(null);
    this.draw(game, true);
    // Taken back before anybody moves: with hundreds of tiles it costs more than a frame.
    requestAnimationFrame(() => requestAnimationFrame(() => this.host.classList.remove("board-jump")));
  }

  draw(game, jump = false) {
    this.board.draw(game.cells, jump);
  }

  get tiles() {
    return this.board.tiles;
  }

  /** How cells lie on the screen: asked for once a gesture, as it makes the browser lay out the page. */
  measure() {
    const { left, top, width } = this.board.field.getBoundingClientRect();
    return { left, top, side: width / this.board.width };
  }

  /** Cell under a point, or null beside the board. */
  cellAt({ left, top, side }, x, y) {
    const column = Math.floor((x - left) / side);
    const row = Math.floor((y - top) / side);
    const inside = column >= 0 && row >= 0 && column < this.board.width && row < this.board.height;
    return inside ? row * this.board.width + column : null;
  }

  /** Take tiles in hand: from now on they lie where `pull` says. */
  hold(numbers) {
    this.pulled = numbers.map((number) => this.tiles.get(number));
    for (const tile of this.pulled) tile.classList.add("tile-pulled");
  }

  /** Pull the held tiles so many pixels the way of a move. */
  pull(move, pixels) {
    const [across, down] = DIRECTIONS[move];
    for (const tile of this.pulled) {
      tile.style.transform = `translate(calc(var(--column) * 100% + ${across * pixels}px), calc(var(--row) * 100% + ${down * pixels}px))`;
    }
  }

  /** Let go: the tiles slide from where they are to where they are drawn. */
  release() {
    for (const tile of this.pulled) {
      tile.classList.remove("tile-pulled");
      tile.style.removeProperty("transform");
    }
    this.pulled = [];
  }

  /** Point out the tile to move; null takes the mark away. */
  point(number) {
    this.host.querySelector(".tile-pointed")?.classList.remove("tile-pointed");
    if (number !== null) this.tiles.get(number).classList.add("tile-pointed");
  }
}
