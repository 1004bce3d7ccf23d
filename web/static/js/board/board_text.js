// Boards as text.

/** The board as a form shows it: a row a line, numbers aligned, the size in front where it is not square. */
export function boardText(tiles, width) {
  const wide = String(tiles.length - 1).length;
  const lines = [];
  for (let start = 0; start < tiles.length; start += width) {
    lines.push(Array.from(tiles.slice(start, start + width), (tile) => String(tile).padStart(wide)).join(" "));
  }
  const height = tiles.length / width;
  return (width === height ? lines : [`${width}x${height}:`, ...lines]).join("\n");
}

/** The board on one line, for addresses and the API. */
export function boardLine(tiles, width) {
  const height = tiles.length / width;
  return (width === height ? "" : `${width}x${height}: `) + tiles.join(" ");
}
