// How far every board of up to nine cells is from a goal: breadth-first from the goal, layer by layer.
//
// A board is one number: its tiles as digits of base nine, the cell of the blank as a last digit of base
// sixteen. 3×3 has 181,440 boards in 32 layers.

import { blankSteps } from "../../board/moves.js";

export const MOST_CELLS = 9;

const BASE = 9;
const BLANK = 16;
const TURN_MS = 6;

function encode(cells) {
  return cells.reduce((sum, tile, cell) => sum + tile * BASE ** cell, 0) * BLANK + cells.indexOf(0);
}

function decode(code, count) {
  let digits = Math.floor(code / BLANK);
  return Array.from({ length: count }, () => {
    const tile = digits % BASE;
    digits = Math.floor(digits / BASE);
    return tile;
  });
}

/** Cells that the blank can go to from each cell. */
function neighbours(count, width) {
  return Array.from({ length: count }, (_, cell) =>
    blankSteps(width)
      .map((step) => cell + step)
      .filter((next) => next >= 0 && next < count && (next % width === cell % width || Math.floor(next / width) === Math.floor(cell / width))),
  );
}

/** Let the browser draw a frame and hear the visitor. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

export class Distances {
  /**
   * Look at all boards, a few milliseconds at a time, so that no frame has to wait.
   * @param {number[]} goal at most `MOST_CELLS` tiles
   * @param {number} width
   */
  static async from(goal, width) {
    const powers = goal.map((_, cell) => BASE ** cell);
    const ways = neighbours(goal.length, width);
    const layers = [];
    let before = new Set();
    let layer = new Set([encode(goal)]);
    let until = performance.now() + TURN_MS;
    while (layer.size) {
      layers.push([...layer]);
      const after = new Set();
      for (const code of layer) {
        if (performance.now() > until) {
          await pause();
          until = performance.now() + TURN_MS;
        }
        const blank = code % BLANK;
        const digits = Math.floor(code / BLANK);
        for (const cell of ways[blank]) {
          const tile = Math.floor(digits / powers[cell]) % BASE;
          const next = (digits + tile * (powers[blank] - powers[cell])) * BLANK + cell;
          // Each move changes the distance by one, so that a board seen before is in the layer before.
          if (!before.has(next)) after.add(next);
        }
      }
      before = layer;
      layer = after;
    }
    return new Distances(goal.length, layers);
  }

  constructor(cells, layers) {
    this.cells = cells;
    this.layers = layers;
  }

  /** The distance of the farthest boards. */
  get farthest() {
    return this.layers.length - 1;
  }

  /**
   * A board between two distances, each equally likely.
   * @param {number} least
   * @param {number} most both taken into the range there is
   * @param {(below: number) => number} random whole numbers from 0
   */
  draw(least, most, random) {
    const first = Math.max(0, Math.min(least, this.farthest));
    const last = Math.max(first, Math.min(most, this.farthest));
    const layers = this.layers.slice(first, last + 1);
    let place = random(layers.reduce((sum, layer) => sum + layer.length, 0));
    let distance = first;
    while (place >= this.layers[distance].length) {
      place -= this.layers[distance].length;
      distance += 1;
    }
    return { tiles: decode(this.layers[distance][place], this.cells), distance };
  }
}
