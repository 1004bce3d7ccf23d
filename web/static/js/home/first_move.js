// Guides a newcomer through the first move on the example with which the page opens.

import { fill } from "../board/board_rendering.js";

export class FirstMove {
  /**
   * @param {HTMLElement} host the board
   * @param {HTMLElement} status its data attributes give the example, the tile to move, and the moves left
   * after it
   * @param {object} words
   */
  constructor(host, status, words) {
    this.host = host;
    this.status = status;
    this.words = words;
    const { board, tile, left } = status.dataset;
    this.tile = Number(tile);
    this.left = left;
    this.before = board;
    this.after = moveIntoBlank(board.split(" ").map(Number), this.tile).join(" ");
  }

  /** Show the guide to a board: to the move, or after it. */
  show(tiles) {
    const shown = tiles.join(" ");
    const isBefore = shown === this.before;
    const hasMoved = shown === this.after && this.wasBefore;
    this.host.querySelector(".tile-pointed")?.classList.remove("tile-pointed");
    if (isBefore) this.host.querySelector(`[data-tile="${this.tile}"]`).classList.add("tile-pointed");
    this.status.textContent = isBefore ? fill(this.words.first_move, { tile: this.tile }) : hasMoved ? fill(this.words.first_move_made, { moves: this.left }) : "";
    this.wasBefore = isBefore;
  }
}

function moveIntoBlank(tiles, moved) {
  return tiles.map((tile) => (tile === moved ? 0 : tile === 0 ? moved : tile));
}
