// Moves as the letters U D L R, as the API and the pages write short ones.

import { Moves } from "./moves.js";

/** Moves out of letters, packed as the player reads them. */
export function movesOf(letters) {
  const packed = new Uint8Array(Math.ceil(letters.length / 4));
  for (let place = 0; place < letters.length; place += 1) {
    packed[place >> 2] |= "UDLR".indexOf(letters[place]) << ((place & 3) << 1);
  }
  return new Moves("", "", letters.length, letters.length ? [packed] : []);
}
