// An empty board, or an invalid one as it is typed: its cells, with cells marked that are not tiles or occur twice.

const MAX_SIDE = 12;
const BLANKS = new Set(["0", "x", "X", "_", "."]);

/**
 * Split text into rows of cells; null if it has none. A single row is split into a square.
 * @param {string} text
 * @returns {{text: string, isInvalid: boolean}[][] | null}
 */
export function readSketch(text) {
  const body = text.replace(/^\s*\d+\s*x\s*\d+\s*:/, "");
  const rows = body.split(/[\n/\]]/).map((row) => row.split(/[\s,;|[\]()]+/).filter(Boolean)).filter((row) => row.length);
  const allCells = rows.flat();
  if (!allCells.length) return null;
  const counts = new Map();
  const normalize = (cell) => (BLANKS.has(cell) ? "0" : cell);
  for (const cell of allCells) counts.set(normalize(cell), (counts.get(normalize(cell)) ?? 0) + 1);
  const isInvalid = (cell) => !/^\d+$/.test(normalize(cell)) || Number(normalize(cell)) >= allCells.length || counts.get(normalize(cell)) > 1;
  const side = Math.ceil(Math.sqrt(allCells.length));
  const sketchRows = rows.length > 1 ? rows : Array.from({ length: Math.ceil(allCells.length / side) }, (_, row) => allCells.slice(row * side, (row + 1) * side));
  return sketchRows.map((row) => row.map((cell) => ({ text: BLANKS.has(cell) ? "" : cell, isInvalid: isInvalid(cell) })));
}

export function makeEmptySketch(width, height) {
  return Array.from({ length: height }, () => new Array(width).fill({ text: "", isInvalid: false }));
}

/** Draw the first rows and columns of a sketch. */
export function drawSketch(host, rows) {
  const visibleRows = rows.slice(0, MAX_SIDE).map((row) => row.slice(0, MAX_SIDE));
  host.style.setProperty("--columns", Math.max(...visibleRows.map((row) => row.length)));
  host.style.setProperty("--rows", visibleRows.length);
  const field = document.createElement("div");
  field.className = "board-field";
  visibleRows.forEach((cells, row) => cells.forEach((cell, column) => field.append(drawCell(cell, row, column))));
  host.classList.remove("board-solved");
  host.replaceChildren(field);
}

function drawCell({ text, isInvalid }, row, column) {
  const tile = document.createElement("div");
  tile.className = `tile${text ? "" : " tile-blank"}${isInvalid ? " tile-invalid" : ""}`;
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
