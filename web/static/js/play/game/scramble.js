// Scrambled boards of any size and difficulty. The distance from the goal is exact for up to nine cells,
// by enumeration of all boards, and estimated for larger boards.

import { blankSteps } from "../../board/moves.js";
import { computeBlankParity, findHomes, isSolvable } from "./goals.js";

/** Return an integer from 0 to `below` - 1; `below` is at most 2³². */
function drawInteger(below) {
  const limit = 2 ** 32 - (2 ** 32 % below);
  const word = new Uint32Array(1);
  do {
    crypto.getRandomValues(word);
  } while (word[0] >= limit);
  return word[0] % below;
}

// The distance of every board of up to nine cells from a goal, by breadth-first search from the goal.
//
// A board is encoded as one number: its tiles as base-9 digits, then the cell of the blank as a base-16
// digit. 3×3 has 181,440 boards in 32 layers.

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

class Distances {
  /**
   * Enumerate all boards, a few milliseconds at a time, so that the page stays responsive.
   * @param {number[]} goal at most `MAX_CELLS` tiles
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

/**
 * Each difficulty as a range of fractions of the largest distance for small boards, and of an average board's
 * estimate for other boards; `any` draws all solvable boards with equal probability.
 */
const SHARES = { any: [0, 1], easy: [0.15, 0.35], medium: [0.45, 0.65], hard: [0.85, 1] };
const HARD_TRIES = 40;
const WALK_FACTOR = 60; // steps per cell, far more than a walk needs

let cached = { name: "" };

/** Return the distances from a goal; those of the last goal are cached. */
function computeDistances(goal, width) {
  const name = `${width} ${goal.join(" ")}`;
  if (cached.name !== name) cached = { name, distances: Distances.from(goal, width) };
  return cached.distances;
}

/** Draw a board of up to nine cells. */
async function drawSmall(goal, width, difficulty, distance) {
  const distances = await computeDistances(goal, width);
  const [min, max] = difficulty === "exactly" ? [distance, distance] : SHARES[difficulty].map((share) => Math.round(share * distances.maxDistance));
  return { ...distances.draw(min, max, drawInteger), exact: true };
}

/** Return the Manhattan distance of a board. */
function computeManhattan(cells, homes, width) {
  let sum = 0;
  cells.forEach((tile, cell) => {
    const home = homes[tile];
    if (tile) sum += Math.abs((cell % width) - (home % width)) + Math.abs(Math.floor(cell / width) - Math.floor(home / width));
  });
  return sum;
}

/** Return the Manhattan distance of an average board. */
function computeAverageManhattan(width, height) {
  return (width * height - 1) * ((width - 1 / width) / 3 + (height - 1 / height) / 3);
}

/**
 * Estimate the moves that a board needs: its Manhattan distance plus up to one move per tile, in proportion
 * to that distance, for conflicts between tiles. For average boards from 3×3 to 5×5 this is within a few
 * percent of the optimum.
 */
function estimateMoves(cells, goal, width) {
  const distance = computeManhattan(cells, findHomes(goal), width);
  const share = distance / computeAverageManhattan(width, cells.length / width);
  const rounded = distance + Math.round((cells.length - 1) * share);
  const parity = computeBlankParity(cells, width) ^ computeBlankParity(goal, width);
  return rounded + ((rounded ^ parity) & 1);
}

/** Draw a solvable board, uniformly at random. */
function drawAny(goal, width) {
  const cells = Array.from(goal);
  for (let last = cells.length - 1; last > 0; last -= 1) {
    const index = drawInteger(last + 1);
    [cells[last], cells[index]] = [cells[index], cells[last]];
  }
  if (!isSolvable(cells, goal, width)) {
    const [first, second] = [0, 1, 2].filter((cell) => cells[cell] !== 0);
    [cells[first], cells[second]] = [cells[second], cells[first]];
  }
  return cells;
}

/** Walk from the goal without undoing moves until the estimate reaches a target. */
function walk(goal, width, target) {
  const cells = Array.from(goal);
  const steps = blankSteps(width);
  const height = cells.length / width;
  let blank = cells.indexOf(0);
  let last = -1;
  for (let step = 0; step < cells.length * WALK_FACTOR; step += 1) {
    const canMove = [blank < (height - 1) * width, blank >= width, blank % width < width - 1, blank % width > 0];
    const options = [0, 1, 2, 3].filter((move) => canMove[move] && move !== (last ^ 1));
    last = options[drawInteger(options.length)];
    cells[blank] = cells[blank + steps[last]];
    blank += steps[last];
    cells[blank] = 0;
    if (estimateMoves(cells, goal, width) >= target) break;
  }
  return cells;
}

function drawLarge(goal, width, difficulty) {
  if (difficulty === "any") return drawAny(goal, width);
  if (difficulty === "hard") {
    const candidates = Array.from({ length: HARD_TRIES }, () => drawAny(goal, width));
    return candidates.reduce((first, second) => (estimateMoves(first, goal, width) < estimateMoves(second, goal, width) ? second : first));
  }
  const average = computeAverageManhattan(width, goal.length / width) + goal.length - 1;
  const [min, max] = SHARES[difficulty].map((share) => Math.round(share * average));
  return walk(goal, width, min + drawInteger(max - min + 1));
}

/**
 * Draw a scrambled board.
 * @param {number[]} goal with at least two rows and two columns
 * @param {string} difficulty `any`, `easy`, `medium`, `hard`, or `exactly` for small boards
 * @param {number} distance moves, for `exactly`
 * @returns {Promise<{tiles: number[], distance: number, exact: boolean}>}
 */
export async function scramble(goal, width, difficulty, distance) {
  if (goal.length <= MAX_CELLS) return drawSmall(goal, width, difficulty, distance);
  const tiles = drawLarge(goal, width, difficulty);
  return { tiles, distance: estimateMoves(tiles, goal, width), exact: false };
}
