// Random access to the boards along a solution: any of a million positions within milliseconds.
//
// Every `stride` moves the whole board is kept. A seek starts from the nearest kept board, or from
// where we are when that is nearer, and walks forwards or backwards: moves can be undone.

import { blankSteps } from "./moves.js";

const KEPT_BYTES = 24 * 1024 * 1024;
const SHORTEST_STRIDE = 4096;

export class Playback {
  /**
   * @param {ArrayLike<number>} start tiles row by row, 0 for the blank
   * @param {number} width
   * @param {Uint8Array} moves
   */
  constructor(start, width, moves) {
    const Cells = start.length <= 65536 ? Uint16Array : Uint32Array;
    this.width = width;
    this.height = start.length / width;
    this.moves = moves;
    this.steps = blankSteps(width);
    this.cells = Cells.from(start);
    this.blank = this.cells.indexOf(0);
    this.position = 0;
    const affordable = Math.max(1, Math.floor(KEPT_BYTES / this.cells.byteLength));
    this.stride = Math.max(SHORTEST_STRIDE, Math.ceil(moves.length / affordable));
    this.kept = [this.cells.slice()];
  }

  get length() {
    return this.moves.length;
  }

  /** Walk the whole solution once, in portions that leave the page responsive, keeping boards. */
  async prepare(onProgress = () => {}) {
    while (this.position < this.length) {
      this.#walk(Math.min(this.length, this.position + this.stride));
      if (this.position % this.stride === 0) this.kept.push(this.cells.slice());
      if (this.kept.length % 16 === 0) {
        onProgress(this.position / this.length);
        await new Promise((resume) => setTimeout(resume));
      }
    }
    this.seek(0);
  }

  /** Go to the position after `position` moves; numbers out of range are clamped. */
  seek(position) {
    const wanted = Math.max(0, Math.min(this.length, Math.round(position)));
    const nearest = Math.min(this.kept.length - 1, Math.round(wanted / this.stride));
    if (Math.abs(wanted - nearest * this.stride) < Math.abs(wanted - this.position)) {
      this.cells.set(this.kept[nearest]);
      this.blank = this.cells.indexOf(0);
      this.position = nearest * this.stride;
    }
    this.#walk(wanted);
  }

  #walk(wanted) {
    const { cells, moves, steps } = this;
    let { blank, position } = this;
    while (position < wanted) {
      const tile = blank + steps[moves[position++]];
      cells[blank] = cells[tile];
      blank = tile;
    }
    while (position > wanted) {
      const tile = blank + steps[moves[--position] ^ 1];
      cells[blank] = cells[tile];
      blank = tile;
    }
    cells[blank] = 0;
    this.blank = blank;
    this.position = position;
  }
}
