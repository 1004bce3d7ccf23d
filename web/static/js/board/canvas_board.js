// A board drawn on a canvas. One pixel per tile is painted and then enlarged, so that a frame of a
// 100×100 board takes well under a millisecond. The lines between tiles are a second image; numbers are drawn
// if they fit.

import { makePalette } from "./palette.js";

// In CSS pixels.
const MIN_NUMBERED_CELL = 22;
const MIN_OUTLINED_CELL = 8; // in smaller cells the lines would only be noise
const MAX_CELL = 96; // in device pixels

export class CanvasBoard {
  /** Takes the same parameters as `TileBoard`. */
  constructor(host, width, height, goal) {
    this.width = width;
    this.height = height;
    this.palette = makePalette(width, height, goal);
    host.style.setProperty("--columns", width);
    host.style.setProperty("--rows", height);
    this.tilePixels = new OffscreenCanvas(width, height);
    this.pixels = new ImageData(width, height);
    this.pixelColours = new Uint32Array(this.pixels.data.buffer);
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d");
    this.field = document.createElement("div");
    this.field.className = "board-field";
    this.field.append(this.canvas);
    host.replaceChildren(this.field);
    this.marks = new Map();
    this.cells = null;
    this.#fit();
    new ResizeObserver(() => this.#fit()).observe(this.field);
  }

  /** Match the resolution of the screen and decide which details fit. */
  #fit() {
    const cell = this.field.clientWidth / this.width;
    const scale = Math.max(1, Math.min(MAX_CELL, Math.round(cell * devicePixelRatio)));
    if (scale === this.scale && this.cells) return;
    this.scale = scale;
    this.canvas.width = this.width * scale;
    this.canvas.height = this.height * scale;
    this.showsNumbers = cell >= MIN_NUMBERED_CELL;
    this.gridLines = cell >= MIN_OUTLINED_CELL ? this.#drawLines() : null;
    if (this.cells) this.#paint();
  }

  #drawLines() {
    const { scale } = this;
    const image = new OffscreenCanvas(this.canvas.width, this.canvas.height);
    const pen = image.getContext("2d");
    const thickness = Math.max(1, Math.round(scale / 12));
    pen.fillStyle = "rgb(17 28 53 / 55%)";
    for (let x = 0; x <= this.width; x += 1) pen.fillRect(x * scale - thickness / 2, 0, thickness, image.height);
    for (let y = 0; y <= this.height; y += 1) pen.fillRect(0, y * scale - thickness / 2, image.width, thickness);
    return image;
  }

  draw(cells) {
    this.cells = cells;
    this.#paint();
  }

  #paint() {
    const { cells, pixelColours, pen, canvas } = this;
    const colours = this.palette.colours;
    for (let cell = 0; cell < cells.length; cell += 1) pixelColours[cell] = colours[cells[cell]];
    this.tilePixels.getContext("2d").putImageData(this.pixels, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.tilePixels, 0, 0, canvas.width, canvas.height);
    if (this.gridLines) pen.drawImage(this.gridLines, 0, 0);
    if (this.showsNumbers) this.#drawNumbers();
  }

  #drawNumbers() {
    const { cells, width, scale, pen } = this;
    const { isLight } = this.palette;
    const digits = String(cells.length - 1).length;
    pen.font = `600 ${scale * Math.min(0.5, 1.45 / digits)}px ${getComputedStyle(this.canvas).fontFamily}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let cell = 0; cell < cells.length; cell += 1) {
      const tile = cells[cell];
      if (tile === 0) continue;
      pen.fillStyle = isLight[tile] ? "#14213d" : "#ffffff";
      pen.fillText(tile, ((cell % width) + 0.5) * scale, (Math.floor(cell / width) + 0.54) * scale);
    }
  }

  /** Return the cell under the pointer. */
  cellAt({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const findIndex = (coordinate, start, size, count) => Math.max(0, Math.min(count - 1, Math.floor(((coordinate - start) / size) * count)));
    return findIndex(clientY, box.top, box.height, this.height) * this.width + findIndex(clientX, box.left, box.width, this.width);
  }

  /** Frame a cell; null removes the frame. @param {"selected" | "focus"} name */
  mark(name, cell) {
    this.marks.get(name)?.remove();
    if (cell === null) return;
    const frame = document.createElement("span");
    frame.className = `cell-mark cell-${name}`;
    frame.style.setProperty("--column", cell % this.width);
    frame.style.setProperty("--row", Math.floor(cell / this.width));
    this.marks.set(name, frame);
    this.field.append(frame);
  }
}
