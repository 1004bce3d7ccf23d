// An empty board, or an invalid one as the server read it, with the cell marked that its message names.

/**
 * @param {HTMLElement} host
 * @param {{rows: string[][], mark: number[]}} sketch the first rows, and the row and column of the cell at fault
 */
export function drawSketch(host, { rows, mark }) {
  host.style.setProperty("--columns", Math.max(...rows.map((row) => row.length)));
  host.style.setProperty("--rows", rows.length);
  const field = document.createElement("div");
  field.className = "board-field";
  rows.forEach((cells, row) => cells.forEach((cell, column) => field.append(drawCell(cell, row, column, String([row, column]) === String(mark)))));
  host.classList.remove("board-solved");
  host.replaceChildren(field);
}

export function makeEmptySketch(width, height) {
  return { width, height, rows: Array.from({ length: height }, () => new Array(width).fill("")), mark: null };
}

function drawCell(text, row, column, isInvalid) {
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
