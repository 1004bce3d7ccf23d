// Text formats of boards.

/** Format a board for a form: one row per line, aligned, with the size first if it is not square. */
export function formatBoard(tiles, width) {
  const digits = String(tiles.length - 1).length;
  const lines = [];
  for (let start = 0; start < tiles.length; start += width) {
    lines.push(Array.from(tiles.slice(start, start + width), (tile) => String(tile).padStart(digits)).join(" "));
  }
  const height = tiles.length / width;
  return (width === height ? lines : [`${width}x${height}:`, ...lines]).join("\n");
}

/** Format a board on one line, for URLs and the API. */
export function formatBoardLine(tiles, width) {
  const height = tiles.length / width;
  return (width === height ? "" : `${width}x${height}: `) + tiles.join(" ");
}
