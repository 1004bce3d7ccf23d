// A board as a picture: every tile has the colour of the cell it belongs to, so that the solved
// board is one smooth field. One pixel a tile is painted and then enlarged, which keeps a frame of
// a 100×100 board well under a millisecond; lines between tiles come from a second picture.

const CORNERS = [
  [22, 58, 140], // top left: cobalt
  [120, 178, 232], // top right: sky
  [233, 178, 74], // bottom left: ochre
  [250, 246, 232], // bottom right: glaze
];
const LARGEST_CELL = 24;
const SMALLEST_CELL_WITH_LINES = 5; // in pixels of the screen; finer lines would only be noise

/** Colours of all tiles as RGBA words, by bilinear mixing of the corners. */
function palette(width, height, goal) {
  const colours = new Uint32Array(goal.length);
  const bytes = new Uint8ClampedArray(colours.buffer);
  for (let cell = 0; cell < goal.length; cell += 1) {
    const tile = goal[cell];
    const x = width > 1 ? (cell % width) / (width - 1) : 0;
    const y = height > 1 ? Math.floor(cell / width) / (height - 1) : 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const top = CORNERS[0][channel] * (1 - x) + CORNERS[1][channel] * x;
      const bottom = CORNERS[2][channel] * (1 - x) + CORNERS[3][channel] * x;
      bytes[tile * 4 + channel] = tile === 0 ? 8 : top * (1 - y) + bottom * y;
    }
    bytes[tile * 4 + 3] = 255;
  }
  return colours;
}

export class CanvasBoard {
  /** The same parameters as `TileBoard`, which see. */
  constructor(host, width, height, goal) {
    this.width = width;
    this.height = height;
    this.colours = palette(width, height, goal);
    host.style.setProperty("--columns", width);
    host.style.setProperty("--rows", height);
    this.small = new OffscreenCanvas(width, height);
    this.pixels = new ImageData(width, height);
    this.words = new Uint32Array(this.pixels.data.buffer);
    const cell = Math.round((host.clientWidth * devicePixelRatio) / width);
    const scale = Math.max(1, Math.min(LARGEST_CELL, cell));
    this.canvas = document.createElement("canvas");
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.pen = this.canvas.getContext("2d");
    this.lines = scale >= SMALLEST_CELL_WITH_LINES ? this.#drawLines(scale) : null;
    const field = document.createElement("div");
    field.className = "board-field";
    field.append(this.canvas);
    host.replaceChildren(field);
  }

  #drawLines(scale) {
    const picture = new OffscreenCanvas(this.canvas.width, this.canvas.height);
    const pen = picture.getContext("2d");
    const thickness = Math.max(1, Math.round(scale / 12));
    pen.fillStyle = "rgb(17 28 53 / 55%)";
    for (let x = 0; x <= this.width; x += 1) pen.fillRect(x * scale - thickness / 2, 0, thickness, picture.height);
    for (let y = 0; y <= this.height; y += 1) pen.fillRect(0, y * scale - thickness / 2, picture.width, thickness);
    return picture;
  }

  draw(cells) {
    const { colours, words } = this;
    for (let cell = 0; cell < cells.length; cell += 1) words[cell] = colours[cells[cell]];
    this.small.getContext("2d").putImageData(this.pixels, 0, 0);
    this.pen.imageSmoothingEnabled = false;
    this.pen.drawImage(this.small, 0, 0, this.canvas.width, this.canvas.height);
    if (this.lines) this.pen.drawImage(this.lines, 0, 0);
  }
}
