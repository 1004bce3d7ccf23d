// The distance of every board of up to nine cells from a goal, by breadth-first search from the goal.
//
// A board is encoded as one number: its tiles as base-9 digits, then the cell of the blank as a base-16
// digit. 3×3 has 181,440 boards in 32 layers.

import { blankSteps } from "../../board/moves.js";

export const MAX_CELLS = 9;

const BASE = 9;
const BLANK_BASE = 16;
const TIME_SLICE_MS = 6;

function encode(cells) {
  return cells.reduce((sum, tile, cell) => sum + tile * BASE ** cell, 0) * BLANK_BASE + cells.indexOf(0);
}

function decode(code, count) {
  let digits = Math.floor(code / BLANK_BASE);
  return Array.from({ length: count }, () => {
    const tile = digits % BASE;
    digits = Math.floor(digits / BASE);
    return tile;
  });
}

/** Return the cells to which the blank can move from each cell. */
function listNeighbours(count, width) {
  return Array.from({ length: count }, (_, cell) =>
    blankSteps(width)
      .map((step) => cell + step)
      .filter((next) => next >= 0 && next < count && (next % width === cell % width || Math.floor(next / width) === Math.floor(cell / width))),
  );
}

/** Let the browser draw a frame and handle input. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

export class Distances {
  /**
   * Enumerate all boards, a few milliseconds at a time, so that the page stays responsive.
   * @param {number[]} goal at most `MAX_CELLS` tiles
   * @param {number} width
   */
  static async from(goal, width) {
    const powers = goal.map((_, cell) => BASE ** cell);
    const neighbours = listNeighbours(goal.length, width);
    const layers = [];
    let previous = new Set();
    let layer = new Set([encode(goal)]);
    let deadline = performance.now() + TIME_SLICE_MS;
    while (layer.size) {
      layers.push([...layer]);
      const nextLayer = new Set();
      for (const code of layer) {
        if (performance.now() > deadline) {
          await pause();
          deadline = performance.now() + TIME_SLICE_MS;
        }
        const blank = code % BLANK_BASE;
        const digits = Math.floor(code / BLANK_BASE);
        for (const cell of neighbours[blank]) {
          const tile = Math.floor(digits / powers[cell]) % BASE;
          const next = (digits + tile * (powers[blank] - powers[cell])) * BLANK_BASE + cell;
          // Each move changes the distance by one, so a known board can only be in the previous layer.
          if (!previous.has(next)) nextLayer.add(next);
        }
      }
      previous = layer;
      layer = nextLayer;
    }
    return new Distances(goal.length, layers);
  }

  constructor(cells, layers) {
    this.cells = cells;
    this.layers = layers;
  }

  /** The largest distance of any board. */
  get maxDistance() {
    return this.layers.length - 1;
  }

  /**
   * Draw a board between two distances, uniformly at random.
   * @param {number} min
   * @param {number} max both are clamped to the existing distances
   * @param {(below: number) => number} returns a random integer from 0 to `below` - 1
   */
  draw(min, max, random) {
    const first = Math.max(0, Math.min(min, this.maxDistance));
    const last = Math.max(first, Math.min(max, this.maxDistance));
    const layers = this.layers.slice(first, last + 1);
    let index = random(layers.reduce((sum, layer) => sum + layer.length, 0));
    let distance = first;
    while (index >= this.layers[distance].length) {
      index -= this.layers[distance].length;
      distance += 1;
    }
    return { tiles: decode(this.layers[distance][index], this.cells), distance };
  }
}
