// Moves as codes, U0 D1 L2 R3, named after the direction in which the tile moves; code ^ 1 is the opposite.
//
// A solution is loaded in chunks and stays packed, four moves per byte: 17 million moves take 4 MB.
// Chunks can be loaded in any order.

export const CHUNK_MOVES = 1 << 18;

/** Return the change of the blank's cell index for each move; the blank moves opposite to the tile. */
export function blankSteps(width) {
  return [width, -width, 1, -1];
}

/** The solution that was being read has been replaced by another. */
export class SolutionReplaced extends Error {}

export class Moves {
  /**
   * @param {string} address of the solution in the API
   * @param {string} name version of the solution, so that all chunks belong to the same one
   * @param {number} length of the whole solution
   * @param {Uint8Array[]} chunks loaded chunks, packed, by number
   */
  constructor(address, name, length, chunks = []) {
    this.address = address;
    this.name = name;
    this.length = length;
    this.chunks = chunks;
    this.pending = new Map();
  }

  /** Open the best solution and load its first chunk. */
  static async open(address) {
    const response = await request(`${address}/moves?count=${CHUNK_MOVES}`);
    const name = response.headers.get("ETag").replace(/^W\/|"/g, "");
    const length = Number(response.headers.get("Solution-Length"));
    const first = new Uint8Array(await response.arrayBuffer());
    return new Moves(address, name, length, length ? [first] : []);
  }

  get count() {
    return Math.ceil(this.length / CHUNK_MOVES);
  }

  /** Return the code of a move, or undefined if its chunk is not loaded. */
  at(place) {
    const inside = place % CHUNK_MOVES;
    const byte = this.chunks[Math.floor(place / CHUNK_MOVES)]?.[inside >> 2];
    return byte === undefined ? undefined : (byte >> ((inside & 3) << 1)) & 3;
  }

  /** Return the numbers of the chunks between two positions that are not loaded. */
  missing(from, to) {
    const numbers = [];
    for (let number = Math.floor(from / CHUNK_MOVES); number * CHUNK_MOVES < to; number += 1) {
      if (!this.chunks[number]) numbers.push(number);
    }
    return numbers;
  }

  /** Fetch a chunk unless it is loaded or being loaded. */
  fetch(number) {
    if (this.chunks[number]) return this.chunks[number];
    if (!this.pending.has(number)) {
      this.pending.set(number, this.#fetch(number).finally(() => this.pending.delete(number)));
    }
    return this.pending.get(number);
  }

  async #fetch(number) {
    const place = `first=${number * CHUNK_MOVES}&count=${CHUNK_MOVES}`;
    const response = await request(`${this.address}/moves?${place}&solution=${this.name}`);
    this.chunks[number] = new Uint8Array(await response.arrayBuffer());
    return this.chunks[number];
  }

  /** Fetch the tiles after a number of moves from the server. */
  async board(move, Cells) {
    const response = await request(`${this.address}/board?move=${move}&solution=${this.name}`);
    return new Cells(await response.arrayBuffer());
  }

  /** Count the slides once all moves are loaded; consecutive moves in one direction are one slide. */
  slides() {
    let slides = 0;
    for (let place = 0; place < this.length; place += 1) slides += place === 0 || this.at(place) !== this.at(place - 1);
    return slides;
  }

  /** Return the first moves, within the first chunk, as letters. */
  letters(count) {
    return Array.from({ length: Math.min(count, this.length) }, (_, place) => "UDLR"[this.at(place)]).join("");
  }
}

async function request(address) {
  const response = await fetch(address, { headers: { Accept: "application/octet-stream" } });
  if (response.status === 409 && address.includes("solution=")) throw new SolutionReplaced();
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response;
}
