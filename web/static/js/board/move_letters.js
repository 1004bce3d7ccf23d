// Moves as the letters U, D, L and R, which the API and the pages use for short solutions.

import { Moves } from "./moves.js";

/** Parse letters into packed moves for the player. */
export function parseMoves(letters) {
  const packed = new Uint8Array(Math.ceil(letters.length / 4));
  for (let place = 0; place < letters.length; place += 1) {
    packed[place >> 2] |= "UDLR".indexOf(letters[place]) << ((place & 3) << 1);
  }
  return new Moves("", "", letters.length, letters.length ? [packed] : []);
}
