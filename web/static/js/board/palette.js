// The colours of a large board's tiles: each tile has the colour of its goal cell, so that the solved
// board is a smooth gradient.

import { toRgb } from "./oklch.js";

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
export function makePalette(width, height, goal) {
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
