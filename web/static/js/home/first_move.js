// Guides a newcomer through the first move on the example with which the page opens.

import { fill } from "../board/board_rendering.js";

export class FirstMove {
  /**
   * @param {HTMLElement} host the board
   * @param {HTMLElement} status its data attributes give the example, the tile to move, and the number of moves left
   * after it
   * @param {object} texts
   */
  constructor(host, status, texts) {
    this.host = host;
    this.status = status;
    this.texts = texts;
    const { board, tile, left } = status.dataset;
    this.tile = Number(tile);
    this.remainingMoves = left;
    this.boardBefore = board;
    this.boardAfter = moveIntoBlank(board.split(" ").map(Number), this.tile).join(" ");
  }

  /** Show the hint for the first move, or the message after it. */
  show(tiles) {
    const board = tiles.join(" ");
    const isWaiting = board === this.boardBefore;
    const hasMoved = board === this.boardAfter && this.wasWaiting;
    this.host.querySelector(".tile-pointed")?.classList.remove("tile-pointed");
    if (isWaiting) this.host.querySelector(`[data-tile="${this.tile}"]`).classList.add("tile-pointed");
    this.status.textContent = isWaiting ? fill(this.texts.first_move, { tile: this.tile }) : hasMoved ? fill(this.texts.first_move_made, { moves: this.remainingMoves }) : "";
    this.wasWaiting = isWaiting;
  }
}

function moveIntoBlank(tiles, movedTile) {
  return tiles.map((tile) => (tile === movedTile ? 0 : tile === 0 ? movedTile : tile));
}
