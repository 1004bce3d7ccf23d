// Moves as codes, U = 0, D = 1, L = 2, R = 3, named after the direction in which the tile moves; code ^ 1 is the opposite.
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
   * @param {string} url URL of the solution in the API
   * @param {string} name the solution's version, so that all chunks belong to the same one
   * @param {number} length number of moves in the whole solution
   * @param {Uint8Array[]} chunks loaded chunks, packed, by number
   */
  constructor(url, name, length, chunks = []) {
    this.url = url;
    this.name = name;
    this.length = length;
    this.chunks = chunks;
    this.pending = new Map();
  }

  /** Open the best solution and load its first chunk. */
  static async open(url) {
    const response = await request(`${url}/moves?count=${CHUNK_MOVES}`);
    const name = response.headers.get("ETag").replace(/^W\/|"/g, "");
    const length = Number(response.headers.get("Solution-Length"));
    const first = new Uint8Array(await response.arrayBuffer());
    return new Moves(url, name, length, length ? [first] : []);
  }

  get chunkCount() {
    return Math.ceil(this.length / CHUNK_MOVES);
  }

  /** Return the code of a move, or undefined if its chunk is not loaded. */
  at(index) {
    const offset = index % CHUNK_MOVES;
    const byte = this.chunks[Math.floor(index / CHUNK_MOVES)]?.[offset >> 2];
    return byte === undefined ? undefined : (byte >> ((offset & 3) << 1)) & 3;
  }

  /** Return the numbers of the chunks between two positions that are not loaded. */
  listMissingChunks(from, to) {
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
    const range = `first=${number * CHUNK_MOVES}&count=${CHUNK_MOVES}`;
    const response = await request(`${this.url}/moves?${range}&solution=${this.name}`);
    this.chunks[number] = new Uint8Array(await response.arrayBuffer());
    return this.chunks[number];
  }

  /** Fetch from the server the tiles after `move` moves. */
  async fetchBoard(move, Cells) {
    const response = await request(`${this.url}/board?move=${move}&solution=${this.name}`);
    return new Cells(await response.arrayBuffer());
  }

  /** Count the slides once all moves are loaded; consecutive moves in one direction are one slide. */
  countSlides() {
    let slides = 0;
    for (let index = 0; index < this.length; index += 1) slides += index === 0 || this.at(index) !== this.at(index - 1);
    return slides;
  }

  /** Return the first `count` moves as letters; they must be in the first chunk. */
  formatLetters(count) {
    return Array.from({ length: Math.min(count, this.length) }, (_, index) => "UDLR"[this.at(index)]).join("");
  }
}

async function request(url) {
  const response = await fetch(url, { headers: { Accept: "application/octet-stream" } });
  if (response.status === 409 && url.includes("solution=")) throw new SolutionReplaced();
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response;
}

/** Parse letters into packed moves for the player. */
export function parseMoves(letters) {
  const packed = new Uint8Array(Math.ceil(letters.length / 4));
  for (let index = 0; index < letters.length; index += 1) {
    packed[index >> 2] |= "UDLR".indexOf(letters[index]) << ((index & 3) << 1);
  }
  return new Moves("", "", letters.length, letters.length ? [packed] : []);
}
