// Moves as small numbers, U0 D1 L2 R3, each named by the way the tile goes; code ^ 1 is the opposite.

const CODES = new Uint8Array(256).fill(255);
for (const [code, letter] of [..."UDLR"].entries()) {
  CODES[letter.charCodeAt(0)] = code;
  CODES[letter.toLowerCase().charCodeAt(0)] = code;
}

/** Turn the bytes of a UDLR text into codes, skipping line ends and blanks. Works on millions. */
export function decodeMoves(bytes) {
  const moves = new Uint8Array(bytes.length);
  let count = 0;
  for (let place = 0; place < bytes.length; place += 1) {
    const code = CODES[bytes[place]];
    if (code !== 255) moves[count++] = code;
  }
  return moves.subarray(0, count);
}

/** The first moves as letters again. */
export function lettersOf(moves, count) {
  return Array.from(moves.subarray(0, count), (code) => "UDLR"[code]).join("");
}

/** How far the blank's cell index goes for each move: against the tile. */
export function blankSteps(width) {
  return [width, -width, 1, -1];
}

/**
 * Read a solution from the server as codes, telling how far it has come.
 * @param {string} address of the `udlr` form
 * @param {(share: number) => void} onProgress share from 0 to 1, where the length is known
 */
export async function fetchMoves(address, onProgress = () => {}) {
  const answer = await fetch(address, { headers: { Accept: "text/plain" } });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const expected = Number(answer.headers.get("Content-Length")) || 0;
  const pieces = [];
  let received = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    received += value.length;
    if (expected) onProgress(Math.min(1, received / expected));
  }
  const bytes = new Uint8Array(received);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return decodeMoves(bytes);
}
