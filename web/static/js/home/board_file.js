// Reads files of boards: the server decodes text in any encoding, and NumPy files.

import { fill } from "../board/board_rendering.js";

const MAX_SIZE_MB = 8;

/**
 * @param {File} file
 * @param {string} url
 * @param {object} texts
 * @returns {Promise<string>} the text of the file
 * @throws {Error} with a message for the visitor
 */
export async function readBoardFile(file, url, texts) {
  const { name } = file;
  if (file.size > MAX_SIZE_MB * 2 ** 20) throw new Error(fill(texts.too_large, { name, limit: MAX_SIZE_MB }));
  const body = new FormData();
  body.append("file", file);
  try {
    const response = await fetch(url, { method: "POST", body });
    const result = await response.json();
    if (!response.ok) throw new Error(result.message);
    return result.text;
  } catch (error) {
    throw new Error(fill(texts.no_file, { name, reason: error.message }));
  }
}
