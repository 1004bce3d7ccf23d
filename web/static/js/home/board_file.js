// Reads files of boards: text in the browser, NumPy files on the server.

import { fill } from "../board/board_rendering.js";

const MAX_SIZE_MB = 8;
const NUMPY = "\x93NUMPY";

/**
 * @param {File} file
 * @param {string} url URL that accepts NumPy files
 * @param {object} texts
 * @throws {Error} with a message for the visitor
 */
export async function readBoardFile(file, url, texts) {
  const { name } = file;
  if (file.size > MAX_SIZE_MB * 2 ** 20) throw new Error(fill(texts.too_large, { name, limit: MAX_SIZE_MB }));
  if (file.size === 0) throw new Error(fill(texts.empty_file, { name }));
  try {
    const content = new Uint8Array(await file.arrayBuffer());
    const start = String.fromCharCode(...content.subarray(0, NUMPY.length));
    if (name.toLowerCase().endsWith(".npy") || start === NUMPY) return await readByServer(file, url);
    const text = decodeText(content);
    if (text === null) throw new Error(texts.no_text);
    return text;
  } catch (error) {
    throw new Error(fill(texts.no_file, { name, reason: error.message }));
  }
}

/** Decode text in UTF-8 or, as some spreadsheets export, UTF-16; returns null if it is not text. */
function decodeText(content) {
  const [first, second] = content;
  const encoding = { "255 254": "utf-16le", "254 255": "utf-16be" }[`${first} ${second}`];
  try {
    const text = new TextDecoder(encoding ?? "utf-8", { fatal: true }).decode(content);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

async function readByServer(file, url) {
  const body = new FormData();
  body.append("file", file);
  const response = await fetch(url, { method: "POST", body });
  const result = await response.json();
  if (!response.ok) throw new Error(result.message);
  return result.text;
}
