// Moves as small numbers, U0 D1 L2 R3, each named by the way the tile goes; code ^ 1 is the opposite.
//
// A solution comes from the server in pieces and stays packed, four moves a byte: one of 17 million
// moves takes 4 MB, and none of it has to be here before the rest is asked for.

export const PIECE_MOVES = 1 << 18;

/** How far the blank's cell index goes for each move: against the tile. */
export function blankSteps(width) {
  return [width, -width, 1, -1];
}

/** Another solution has taken the place of the one that was being read. */
export class Replaced extends Error {}

export class Moves {
  /**
   * @param {string} address of the solution in the API
   * @param {string} name of the solution, that all pieces are of the same
   * @param {number} length of the whole solution
   * @param {Uint8Array[]} pieces those that are here, packed, by number
   */
  constructor(address, name, length, pieces = []) {
    this.address = address;
    this.name = name;
    this.length = length;
    this.pieces = pieces;
    this.coming = new Map();
  }

  /** The best solution, with its first piece. */
  static async open(address) {
    const answer = await ask(`${address}/moves?count=${PIECE_MOVES}`);
    const name = answer.headers.get("ETag").replace(/^W\/|"/g, "");
    const length = Number(answer.headers.get("Solution-Length"));
    const first = new Uint8Array(await answer.arrayBuffer());
    return new Moves(address, name, length, length ? [first] : []);
  }

  get count() {
    return Math.ceil(this.length / PIECE_MOVES);
  }

  /** The code of a move; undefined where its piece is not here. */
  at(place) {
    const inside = place % PIECE_MOVES;
    const byte = this.pieces[Math.floor(place / PIECE_MOVES)]?.[inside >> 2];
    return byte === undefined ? undefined : (byte >> ((inside & 3) << 1)) & 3;
  }

  /** Numbers of the pieces with moves from one place up to another that are not here. */
  missing(from, to) {
    const numbers = [];
    for (let number = Math.floor(from / PIECE_MOVES); number * PIECE_MOVES < to; number += 1) {
      if (!this.pieces[number]) numbers.push(number);
    }
    return numbers;
  }

  /** Fetch a piece, unless it is here or on its way. */
  fetch(number) {
    if (this.pieces[number]) return this.pieces[number];
    if (!this.coming.has(number)) {
      this.coming.set(number, this.#fetch(number).finally(() => this.coming.delete(number)));
    }
    return this.coming.get(number);
  }

  async #fetch(number) {
    const place = `first=${number * PIECE_MOVES}&count=${PIECE_MOVES}`;
    const answer = await ask(`${this.address}/moves?${place}&solution=${this.name}`);
    this.pieces[number] = new Uint8Array(await answer.arrayBuffer());
    return this.pieces[number];
  }

  /** The tiles after some moves, as the server knows them. */
  async board(move, Cells) {
    const answer = await ask(`${this.address}/board?move=${move}&solution=${this.name}`);
    return new Cells(await answer.arrayBuffer());
  }

  /** How many slides they are, where all are here: moves in one direction count once. */
  slides() {
    let slides = 0;
    for (let place = 0; place < this.length; place += 1) slides += place === 0 || this.at(place) !== this.at(place - 1);
    return slides;
  }

  /** The first moves as letters, as far as they are in the first piece. */
  letters(count) {
    return Array.from({ length: Math.min(count, this.length) }, (_, place) => "UDLR"[this.at(place)]).join("");
  }
}

async function ask(address) {
  const answer = await fetch(address, { headers: { Accept: "application/octet-stream" } });
  if (answer.status === 409 && address.includes("solution=")) throw new Replaced();
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer;
}
