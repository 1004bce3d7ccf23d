// The text of a file of boards: read here where it is text, by the server where it is NumPy's. What
// is neither is told in a sentence and reaches no field.

import { fill } from "../board/make_board.js";

const LARGEST_MB = 8;
const NUMPY = "\x93NUMPY";

/**
 * @param {File} file
 * @param {string} address where a NumPy file is read
 * @param {object} words
 * @throws {Error} with a sentence for the visitor
 */
export async function readBoardFile(file, address, words) {
  const { name } = file;
  if (file.size > LARGEST_MB * 2 ** 20) throw new Error(fill(words.too_large, { name, limit: LARGEST_MB }));
  if (file.size === 0) throw new Error(fill(words.empty_file, { name }));
  try {
    const content = new Uint8Array(await file.arrayBuffer());
    const start = String.fromCharCode(...content.subarray(0, NUMPY.length));
    if (name.toLowerCase().endsWith(".npy") || start === NUMPY) return await readByServer(file, address);
    const text = textOf(content);
    if (text === null) throw new Error(words.no_text);
    return text;
  } catch (error) {
    throw new Error(fill(words.no_file, { name, reason: error.message }));
  }
}

/** The text in UTF-8 or, as spreadsheets write it, UTF-16; null for what is no text. */
function textOf(content) {
  const [first, second] = content;
  const wide = { "255 254": "utf-16le", "254 255": "utf-16be" }[`${first} ${second}`];
  try {
    const text = new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(content);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

async function readByServer(file, address) {
  const body = new FormData();
  body.append("file", file);
  const answer = await fetch(address, { method: "POST", body });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.message);
  return said.text;
}
