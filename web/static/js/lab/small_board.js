// Small pictures of boards, like the server's: as SVG for lists, and on a canvas for trees.

const NAMESPACE = "http://www.w3.org/2000/svg";
const MAX_NUMBERED_WIDTH = 5; // columns; the tiles of wider boards are too small for numbers

function draw(parent, name, attributes, text) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
}

/** Create an SVG picture of a board, hidden from screen readers. */
export function makeBoardPicture(board, width, goal) {
  const height = board.length / width;
  const svg = document.createElementNS(NAMESPACE, "svg");
  const [across, down] = [width * 10 + 1, height * 10 + 1];
  svg.setAttribute("class", "thumb");
  svg.setAttribute("viewBox", `0 0 ${across} ${down}`);
  svg.setAttribute("aria-hidden", "true");
  draw(svg, "rect", { class: "thumb-tray", width: across, height: down, rx: 1.5 });
  board.forEach((tile, cell) => {
    if (!tile) return;
    const [x, y] = [(cell % width) * 10, Math.floor(cell / width) * 10];
    draw(svg, "rect", { class: tile === goal[cell] ? "thumb-home" : "thumb-away", x: x + 1, y: y + 1, width: 9, height: 9, rx: 1.2 });
    if (width <= MAX_NUMBERED_WIDTH) draw(svg, "text", { x: x + 5.5, y: y + 5.7, "font-size": board.length > 9 ? 4.6 : 5.6 }, tile);
  });
  return svg;
}

/** Draw a board on a canvas, within a square around a centre. */
export function paintBoard(pen, board, width, goal, colours, x, y, size) {
  const height = board.length / width;
  const cell = size / Math.max(width, height);
  const [left, top] = [x - (cell * width) / 2, y - (cell * height) / 2];
  pen.fillStyle = colours.tray;
  pen.beginPath();
  pen.roundRect(left - 1.5, top - 1.5, cell * width + 3, cell * height + 3, 4);
  pen.fill();
  const gap = Math.max(0.5, cell * 0.04);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `600 ${cell * (board.length > 10 ? 0.5 : 0.6)}px ${colours.serif}`;
  for (const isHome of [true, false]) {
    pen.fillStyle = isHome ? colours.home : colours.away;
    pen.beginPath();
    board.forEach((tile, cellIndex) => {
      if (!tile || (tile === goal[cellIndex]) !== isHome) return;
      pen.roundRect(left + (cellIndex % width) * cell + gap, top + Math.floor(cellIndex / width) * cell + gap, cell - 2 * gap, cell - 2 * gap, cell * 0.12);
    });
    pen.fill();
    pen.fillStyle = isHome ? colours.homeInk : colours.awayInk;
    board.forEach((tile, cellIndex) => {
      if (!tile || (tile === goal[cellIndex]) !== isHome) return;
      pen.fillText(tile, left + (cellIndex % width) * cell + cell / 2, top + Math.floor(cellIndex / width) * cell + cell * 0.54);
    });
  }
}
