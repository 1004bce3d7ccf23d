// A board drawn on a canvas. One pixel per tile is painted and then enlarged, so that a frame of a
// 100×100 board takes well under a millisecond. The lines between tiles are a second image; numbers are drawn
// if they fit.

import { make } from "../elements.js";

// Converts the perceptually uniform OKLCH colours (lightness, chroma, hue) to sRGB.
//
// Björn Ottosson, "A perceptual color space for image processing", 2020.

const BISECTIONS = 7;
const TOLERANCE = 1e-4;

function toLinear(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function isDisplayable(channels) {
  return channels.every((value) => value >= -TOLERANCE && value <= 1 + TOLERANCE);
}

function encode(value) {
  const clamped = Math.max(0, Math.min(1, value));
  return Math.round(255 * (clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055));
}

/**
 * Convert a colour to red, green and blue from 0 to 255. Colours outside sRGB get less chroma at the same
 * lightness and hue, because clipping a channel would leave a visible edge in a gradient.
 */
function toRgb([lightness, chroma, hue]) {
  const target = toLinear(lightness, chroma, hue);
  if (isDisplayable(target)) return target.map(encode);
  let [displayable, excessive] = [0, chroma];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (displayable + excessive) / 2;
    if (isDisplayable(toLinear(lightness, middle, hue))) displayable = middle;
    else excessive = middle;
  }
  return toLinear(lightness, displayable, hue).map(encode);
}

// The colours of a large board's tiles: each tile has the colour of its goal cell, so that the solved
// board is a smooth gradient.

// Lightness, chroma, hue. Hues are interpolated as numbers, from blue through green to ochre: a straight
// line across the colour wheel would be grey in the middle.
const CORNERS = [
  [0.4, 0.16, 262], // top left: cobalt
  [0.76, 0.11, 235], // top right: sky
  [0.78, 0.14, 78], // bottom left: ochre
  [0.96, 0.05, 100], // bottom right: glaze
];
const BLANK = [17, 28, 53];
const MIN_LIGHT = 0.62; // at this lightness or more, dark digits are easier to read

function mix(x, y) {
  return CORNERS[0].map((_, channel) => {
    const top = CORNERS[0][channel] * (1 - x) + CORNERS[1][channel] * x;
    const bottom = CORNERS[2][channel] * (1 - x) + CORNERS[3][channel] * x;
    return top * (1 - y) + bottom * y;
  });
}

/**
 * @param {ArrayLike<number>} goal tiles row by row
 * @returns {{colours: Uint32Array, isLight: Uint8Array}} by tile: its colour as a 32-bit RGBA value, and
 * whether it is light
 */
function makePalette(width, height, goal) {
  const colours = new Uint32Array(goal.length);
  const bytes = new Uint8ClampedArray(colours.buffer);
  const isLight = new Uint8Array(goal.length);
  for (let cell = 0; cell < goal.length; cell += 1) {
    const tile = goal[cell];
    const x = width > 1 ? (cell % width) / (width - 1) : 0;
    const y = height > 1 ? Math.floor(cell / width) / (height - 1) : 0;
    const colour = mix(x, y);
    bytes.set(tile === 0 ? BLANK : toRgb(colour), tile * 4);
    bytes[tile * 4 + 3] = 255;
    isLight[tile] = colour[0] >= MIN_LIGHT ? 1 : 0;
  }
  return { colours, isLight };
}

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
    this.field = make("div", { className: "board-field" }, this.canvas);
    host.replaceChildren(this.field);
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

  /** Mark the focused cell. */
  markFocus(cell) {
    this.focusMark ??= this.field.appendChild(make("span", { className: "cell-focus" }));
    this.focusMark.style.setProperty("--column", cell % this.width);
    this.focusMark.style.setProperty("--row", Math.floor(cell / this.width));
  }
}
