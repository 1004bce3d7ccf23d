// Random access to the boards along a solution: any of millions of positions within milliseconds.
//
// A board is stored every `stride` moves. A seek starts from the nearest stored board, or from the current
// position if that is nearer, and applies or undoes moves. Missing chunks of the solution, and the board
// before them, are fetched from the server.

import { blankSteps, CHUNK_MOVES } from "./moves.js";

const STORED_BYTES = 24 * 1024 * 1024;

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
    const affordable = Math.max(1, Math.floor(STORED_BYTES / cells.byteLength));
    this.stride = CHUNK_MOVES * Math.max(1, Math.ceil(moves.length / (affordable * CHUNK_MOVES)));
    this.stored = new Map([[0, cells.slice()]]);
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

  /** The last move and its tile; null at the start or if the move is not loaded. */
  get last() {
    const { cells, blank, position } = this.place;
    const move = position ? this.moves.at(position - 1) : undefined;
    if (move === undefined) return null;
    return { move, tile: cells[blank - this.steps[move]] }; // the tile is where the blank was
  }

  /** Return the valid position nearest to a number. */
  clamp(position) {
    return Math.max(0, Math.min(this.length, Math.round(position)));
  }

  /** Go to a position. Returns false and does nothing if moves in between are not loaded. */
  seek(position) {
    const target = this.clamp(position);
    let nearest = null;
    let least = this.#distance(this.position, target);
    for (const place of this.stored.keys()) {
      const distance = this.#distance(place, target);
      if (distance < least) [nearest, least] = [place, distance];
    }
    if (least === Infinity) return false;
    if (nearest !== null) {
      const { cells } = this.place;
      cells.set(this.stored.get(nearest));
      this.place = { cells, blank: cells.indexOf(0), position: nearest };
    }
    this.#walk(this.place, target);
    return true;
  }

  /** Return the number of moves between two positions; infinite if some are not loaded. */
  #distance(from, to) {
    const [low, high] = from < to ? [from, to] : [to, from];
    return this.moves.missing(low, high).length ? Infinity : high - low;
  }

  /** Fetch the moves that a seek to a position needs. */
  async fetchMoves(position) {
    const target = this.clamp(position);
    const isNear = Math.abs(target - this.position) <= CHUNK_MOVES;
    const base = target - (target % this.stride);
    const [from, to] = isNear ? [Math.min(this.position, target), Math.max(this.position, target)] : [base, target];
    const pending = this.moves.missing(from, Math.min(this.length, to + 1)).map((number) => this.moves.fetch(number));
    if (!isNear && !this.stored.has(base)) {
      pending.push(this.moves.board(base, this.Cells).then((cells) => this.stored.set(base, cells)));
    }
    await Promise.all(pending);
  }

  /** Fetch the whole solution in order and store boards along it; stops when `signal` is aborted. */
  async load(onProgress, signal) {
    const cells = this.stored.get(0).slice();
    const scout = { cells, blank: cells.indexOf(0), position: 0 };
    for (let number = 0; number < this.moves.count && !signal.aborted; number += 1) {
      await this.moves.fetch(number);
      // Prefetch the next chunk; if that fails, the next iteration requests it again.
      if (number + 1 < this.moves.count) Promise.resolve(this.moves.fetch(number + 1)).catch(() => {});
      this.#walk(scout, Math.min(this.length, scout.position + CHUNK_MOVES));
      if (scout.position % this.stride === 0 && !this.stored.has(scout.position)) {
        this.stored.set(scout.position, cells.slice());
      }
      onProgress(scout.position / this.length);
    }
  }

  #walk(place, target) {
    const { steps } = this;
    const { cells } = place;
    let { blank, position } = place;
    while (position < target) {
      const number = Math.floor(position / CHUNK_MOVES);
      const chunk = this.moves.chunks[number];
      const end = Math.min(CHUNK_MOVES, target - number * CHUNK_MOVES);
      for (let inside = position % CHUNK_MOVES; inside < end; inside += 1) {
        const tile = blank + steps[(chunk[inside >> 2] >> ((inside & 3) << 1)) & 3];
        cells[blank] = cells[tile];
        blank = tile;
      }
      position = number * CHUNK_MOVES + end;
    }
    while (position > target) {
      const number = Math.floor((position - 1) / CHUNK_MOVES);
      const chunk = this.moves.chunks[number];
      const end = Math.max(0, target - number * CHUNK_MOVES);
      for (let inside = position - number * CHUNK_MOVES - 1; inside >= end; inside -= 1) {
        const tile = blank + steps[((chunk[inside >> 2] >> ((inside & 3) << 1)) & 3) ^ 1];
        cells[blank] = cells[tile];
        blank = tile;
      }
      position = number * CHUNK_MOVES + end;
    }
    cells[blank] = 0;
    place.blank = blank;
    place.position = position;
  }
}
