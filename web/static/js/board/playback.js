// Random access to the boards along a solution: any of millions of positions within milliseconds.
//
// Every `stride` moves a board is kept. A seek starts from the nearest kept board, or from where we
// are when that is nearer, and walks forwards or backwards: moves can be undone. Where pieces of
// the solution are not here yet, they and the board before them come from the server.

import { blankSteps, PIECE_MOVES } from "./moves.js";

const KEPT_BYTES = 24 * 1024 * 1024;

export class Playback {
  /**
   * @param {ArrayLike<number>} start tiles row by row, 0 for the blank
   * @param {number} width
   * @param {import("./moves.js").Moves} moves
   */
  constructor(start, width, moves) {
    this.Cells = start.length <= 65536 ? Uint16Array : Uint32Array;
    this.width = width;
    this.height = start.length / width;
    this.moves = moves;
    this.steps = blankSteps(width);
    const cells = this.Cells.from(start);
    const affordable = Math.max(1, Math.floor(KEPT_BYTES / cells.byteLength));
    this.stride = PIECE_MOVES * Math.max(1, Math.ceil(moves.length / (affordable * PIECE_MOVES)));
    this.kept = new Map([[0, cells.slice()]]);
    this.place = { cells, blank: cells.indexOf(0), position: 0 };
  }

  get length() {
    return this.moves.length;
  }

  get cells() {
    return this.place.cells;
  }

  get position() {
    return this.place.position;
  }

  /** The last move and its tile; null at the start, or where the move is not here. */
  get last() {
    const { cells, blank, position } = this.place;
    const move = position ? this.moves.at(position - 1) : undefined;
    if (move === undefined) return null;
    return { move, tile: cells[blank - this.steps[move]] }; // the tile lies where the blank was
  }

  /** The nearest position there is to a number. */
  clamp(position) {
    return Math.max(0, Math.min(this.length, Math.round(position)));
  }

  /** Go to a position; false, and nothing happens, where moves on the way are not here. */
  seek(position) {
    const wanted = this.clamp(position);
    let nearest = null;
    let least = this.#distance(this.position, wanted);
    for (const place of this.kept.keys()) {
      const distance = this.#distance(place, wanted);
      if (distance < least) [nearest, least] = [place, distance];
    }
    if (least === Infinity) return false;
    if (nearest !== null) {
      const { cells } = this.place;
      cells.set(this.kept.get(nearest));
      this.place = { cells, blank: cells.indexOf(0), position: nearest };
    }
    this.#walk(this.place, wanted);
    return true;
  }

  /** How many moves lie between; infinitely many where some are not here. */
  #distance(from, to) {
    const [low, high] = from < to ? [from, to] : [to, from];
    return this.moves.missing(low, high).length ? Infinity : high - low;
  }

  /** Fetch what a seek to a position lacks. */
  async bring(position) {
    const wanted = this.clamp(position);
    const near = Math.abs(wanted - this.position) <= PIECE_MOVES;
    const base = wanted - (wanted % this.stride);
    const [from, to] = near ? [Math.min(this.position, wanted), Math.max(this.position, wanted)] : [base, wanted];
    const coming = this.moves.missing(from, Math.min(this.length, to + 1)).map((number) => this.moves.fetch(number));
    if (!near && !this.kept.has(base)) {
      coming.push(this.moves.board(base, this.Cells).then((cells) => this.kept.set(base, cells)));
    }
    await Promise.all(coming);
  }

  /** Fetch the whole solution in order and walk along, keeping boards; stops when `signal` says so. */
  async load(onProgress, signal) {
    const cells = this.kept.get(0).slice();
    const scout = { cells, blank: cells.indexOf(0), position: 0 };
    for (let number = 0; number < this.moves.count && !signal.aborted; number += 1) {
      await this.moves.fetch(number);
      // The next one comes meanwhile; should it fail, the next round asks for it again.
      if (number + 1 < this.moves.count) Promise.resolve(this.moves.fetch(number + 1)).catch(() => {});
      this.#walk(scout, Math.min(this.length, scout.position + PIECE_MOVES));
      if (scout.position % this.stride === 0 && !this.kept.has(scout.position)) {
        this.kept.set(scout.position, cells.slice());
      }
      onProgress(scout.position / this.length);
    }
  }

  #walk(place, wanted) {
    const { steps } = this;
    const { cells } = place;
    let { blank, position } = place;
    while (position < wanted) {
      const number = Math.floor(position / PIECE_MOVES);
      const piece = this.moves.pieces[number];
      const end = Math.min(PIECE_MOVES, wanted - number * PIECE_MOVES);
      for (let inside = position % PIECE_MOVES; inside < end; inside += 1) {
        const tile = blank + steps[(piece[inside >> 2] >> ((inside & 3) << 1)) & 3];
        cells[blank] = cells[tile];
        blank = tile;
      }
      position = number * PIECE_MOVES + end;
    }
    while (position > wanted) {
      const number = Math.floor((position - 1) / PIECE_MOVES);
      const piece = this.moves.pieces[number];
      const end = Math.max(0, wanted - number * PIECE_MOVES);
      for (let inside = position - number * PIECE_MOVES - 1; inside >= end; inside -= 1) {
        const tile = blank + steps[((piece[inside >> 2] >> ((inside & 3) << 1)) & 3) ^ 1];
        cells[blank] = cells[tile];
        blank = tile;
      }
      position = number * PIECE_MOVES + end;
    }
    cells[blank] = 0;
    place.blank = blank;
    place.position = position;
  }
}
