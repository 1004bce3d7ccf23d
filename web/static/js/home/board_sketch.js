// An invalid board as it is typed: its cells, with those that are no tiles or occur twice marked.

const MAX_SIDE = 12;
const BLANKS = new Set(["0", "x", "X", "_", "."]);

/**
 * Split a text into rows of cells; null if it contains none. A single row is folded into a square.
 * @param {string} text
 * @returns {{text: string, isFault: boolean}[][] | null}
 */
export function readSketch(text) {
  const body = text.replace(/^\s*\d+\s*x\s*\d+\s*:/, "");
  const rows = body.split(/[\n/\]]/).map((row) => row.split(/[\s,;|[\]()]+/).filter(Boolean)).filter((row) => row.length);
  const flat = rows.flat();
  if (!flat.length) return null;
  const counts = new Map();
  const name = (cell) => (BLANKS.has(cell) ? "0" : cell);
  for (const cell of flat) counts.set(name(cell), (counts.get(name(cell)) ?? 0) + 1);
  const isFault = (cell) => !/^\d+$/.test(name(cell)) || Number(name(cell)) >= flat.length || counts.get(name(cell)) > 1;
  const side = Math.ceil(Math.sqrt(flat.length));
  const folded = rows.length > 1 ? rows : Array.from({ length: Math.ceil(flat.length / side) }, (_, row) => flat.slice(row * side, (row + 1) * side));
  return folded.map((row) => row.map((cell) => ({ text: BLANKS.has(cell) ? "" : cell, isFault: isFault(cell) })));
}

/** Draw the first rows and columns of a sketch. */
export function drawSketch(host, rows) {
  const shown = rows.slice(0, MAX_SIDE).map((row) => row.slice(0, MAX_SIDE));
  host.style.setProperty("--columns", Math.max(...shown.map((row) => row.length)));
  host.style.setProperty("--rows", shown.length);
  const field = document.createElement("div");
  field.className = "board-field";
  shown.forEach((cells, row) => cells.forEach((cell, column) => field.append(drawCell(cell, row, column))));
  host.replaceChildren(field);
}

function drawCell({ text, isFault }, row, column) {
  const tile = document.createElement("div");
  tile.className = `tile${text ? "" : " tile-blank"}${isFault ? " tile-fault" : ""}`;
  tile.style.setProperty("--row", row);
  tile.style.setProperty("--column", column);
  const face = document.createElement("span");
  face.className = "tile-face";
  const label = document.createElement("span");
  label.className = "tile-text";
  label.textContent = text.length > 4 ? `${text.slice(0, 3)}…` : text;
  face.append(label);
  tile.append(face);
  return tile;
}
