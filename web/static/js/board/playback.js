// Random access to the boards along a solution: it reaches any of millions of positions within milliseconds.
//
// A snapshot of the board is stored every `stride` moves. A seek starts from the nearest snapshot, or from the current
// position if that is nearer, and applies or undoes moves. Missing chunks of the solution, and the board
// before them, are fetched from the server.

import { blankSteps, CHUNK_MOVES } from "./moves.js";

const MAX_SNAPSHOT_BYTES = 24 * 1024 * 1024;

export class Playback {
  /** @param {ArrayLike<number>} start tiles row by row, 0 for the blank */
  constructor(start, width, moves) {
    this.Cells = start.length <= 65536 ? Uint16Array : Uint32Array;
    this.width = width;
    this.height = start.length / width;
    this.moves = moves;
    this.steps = blankSteps(width);
    const cells = this.Cells.from(start);
    const maxSnapshots = Math.max(1, Math.floor(MAX_SNAPSHOT_BYTES / cells.byteLength));
    this.stride = CHUNK_MOVES * Math.max(1, Math.ceil(moves.length / (maxSnapshots * CHUNK_MOVES)));
    this.snapshots = new Map([[0, cells.slice()]]);
    this.state = { cells, blank: cells.indexOf(0), position: 0 };
  }

  get length() {
    return this.moves.length;
  }

  get cells() {
    return this.state.cells;
  }

  get position() {
    return this.state.position;
  }

  /** The last move and its tile; null at the start or if the move is not loaded. */
  get last() {
    const { cells, blank, position } = this.state;
    const move = position ? this.moves.at(position - 1) : undefined;
    if (move === undefined) return null;
    return { move, tile: cells[blank - this.steps[move]] }; // the tile is where the blank was
  }

  /** Return the moves between two positions, each with its tile; null if some of them are not loaded. */
  listMoves(from, to) {
    if (Math.max(this.#distance(this.position, from), this.#distance(from, to)) === Infinity) return null;
    const state = { ...this.state, cells: this.cells.slice() };
    this.#walk(state, from);
    return Array.from({ length: to - from }, () => {
      const move = this.moves.at(state.position);
      const tile = state.cells[state.blank + this.steps[move]];
      this.#walk(state, state.position + 1);
      return { move, tile };
    });
  }

  /** Round a number to the nearest valid position. */
  clamp(position) {
    return Math.max(0, Math.min(this.length, Math.round(position)));
  }

  /** Go to a position. Returns false and does nothing if moves in between are not loaded. */
  seek(position) {
    const target = this.clamp(position);
    let nearest = null;
    let shortest = this.#distance(this.position, target);
    for (const snapshot of this.snapshots.keys()) {
      const distance = this.#distance(snapshot, target);
      if (distance < shortest) [nearest, shortest] = [snapshot, distance];
    }
    if (shortest === Infinity) return false;
    if (nearest !== null) {
      const { cells } = this.state;
      cells.set(this.snapshots.get(nearest));
      this.state = { cells, blank: cells.indexOf(0), position: nearest };
    }
    this.#walk(this.state, target);
    return true;
  }

  /** Return the number of moves between two positions; infinite if some are not loaded. */
  #distance(from, to) {
    const [low, high] = from < to ? [from, to] : [to, from];
    return this.moves.listMissingChunks(low, high).length ? Infinity : high - low;
  }

  /** Fetch the moves that a seek to a position needs. */
  async fetchMoves(position) {
    const target = this.clamp(position);
    const isNear = Math.abs(target - this.position) <= CHUNK_MOVES;
    const base = target - (target % this.stride);
    const [from, to] = isNear ? [Math.min(this.position, target), Math.max(this.position, target)] : [base, target];
    const pending = this.moves.listMissingChunks(from, Math.min(this.length, to + 1)).map((number) => this.moves.fetch(number));
    if (!isNear && !this.snapshots.has(base)) {
      pending.push(this.moves.fetchBoard(base, this.Cells).then((cells) => this.snapshots.set(base, cells)));
    }
    await Promise.all(pending);
  }

  /** Fetch the whole solution in order and store snapshots of the boards; stops when `signal` is aborted. */
  async load(onProgress, signal) {
    const cells = this.snapshots.get(0).slice();
    const state = { cells, blank: cells.indexOf(0), position: 0 };
    for (let number = 0; number < this.moves.chunkCount && !signal.aborted; number += 1) {
      await this.moves.fetch(number);
      // Prefetch the next chunk; if that fails, the next iteration requests it again.
      if (number + 1 < this.moves.chunkCount) Promise.resolve(this.moves.fetch(number + 1)).catch(() => {});
      this.#walk(state, Math.min(this.length, state.position + CHUNK_MOVES));
      if (state.position % this.stride === 0 && !this.snapshots.has(state.position)) {
        this.snapshots.set(state.position, cells.slice());
      }
      onProgress(state.position / this.length);
    }
  }

  #walk(state, target) {
    const { steps } = this;
    const { cells } = state;
    let { blank, position } = state;
    while (position < target) {
      const number = Math.floor(position / CHUNK_MOVES);
      const chunk = this.moves.chunks[number];
      const end = Math.min(CHUNK_MOVES, target - number * CHUNK_MOVES);
      for (let offset = position % CHUNK_MOVES; offset < end; offset += 1) {
        const tile = blank + steps[(chunk[offset >> 2] >> ((offset & 3) << 1)) & 3];
        cells[blank] = cells[tile];
        blank = tile;
      }
      position = number * CHUNK_MOVES + end;
    }
    while (position > target) {
      const number = Math.floor((position - 1) / CHUNK_MOVES);
      const chunk = this.moves.chunks[number];
      const end = Math.max(0, target - number * CHUNK_MOVES);
      for (let offset = position - number * CHUNK_MOVES - 1; offset >= end; offset -= 1) {
        const tile = blank + steps[((chunk[offset >> 2] >> ((offset & 3) << 1)) & 3) ^ 1];
        cells[blank] = cells[tile];
        blank = tile;
      }
      position = number * CHUNK_MOVES + end;
    }
    cells[blank] = 0;
    state.blank = blank;
    state.position = position;
  }
}

// Plays moves at the times at which they were made.

const FRAME_MS = 30;

export class TimedPlayback {
  /**
   * @param {number[]} times of each move in milliseconds, in order
   * @param {(count: number, ms: number) => void} show called with the number of moves made so far and the elapsed time
   * @param {() => void} onEnd called at the last move, or when stopped
   */
  constructor(times, show, onEnd = () => {}) {
    this.times = times;
    this.show = show;
    this.onEnd = onEnd;
  }

  get isRunning() {
    return this.timer !== undefined;
  }

  start() {
    const startedAt = performance.now();
    let count = 0;
    const step = () => {
      const elapsed = performance.now() - startedAt;
      while (count < this.times.length && this.times[count] <= elapsed) count += 1;
      this.show(count, elapsed);
      if (count === this.times.length) this.stop();
    };
    this.timer = setInterval(step, FRAME_MS);
    step();
  }

  stop() {
    if (!this.isRunning) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.onEnd();
  }
}
