// Moves as the letters U, D, L and R, which the API and the pages use for short solutions.

import { Moves } from "./moves.js";

/** Parse letters into packed moves for the player. */
export function parseMoves(letters) {
  const packed = new Uint8Array(Math.ceil(letters.length / 4));
  for (let index = 0; index < letters.length; index += 1) {
    packed[index >> 2] |= "UDLR".indexOf(letters[index]) << ((index & 3) << 1);
  }
  return new Moves("", "", letters.length, letters.length ? [packed] : []);
}
