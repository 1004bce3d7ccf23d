// New boards: of any size, as far from the goal as asked for. The distance is exact up to nine cells,
// where all boards are looked at, and estimated above.

import { blankSteps } from "../../board/moves.js";
import { Distances, MOST_CELLS } from "./distances.js";
import { isSolvable } from "./goals.js";
import { randomBelow } from "./random.js";

/**
 * Each difficulty as shares of the farthest distance for small boards, and of the estimate of an
 * average board for others; `any` takes every board that can be solved as equally likely.
 */
const SHARES = { any: [0, 1], easy: [0.15, 0.35], medium: [0.45, 0.65], hard: [0.85, 1] };
const HARD_TRIES = 40;
const WALK_FACTOR = 60; // steps a cell; a walk is far from its goal long before

let known = { name: "" };

/** All boards around a goal; those of the last goal asked for are kept. */
function distancesFrom(goal, width) {
  const name = `${width} ${goal.join(" ")}`;
  if (known.name !== name) known = { name, distances: Distances.from(goal, width) };
  return known.distances;
}

/** Draw a board of up to nine cells. */
async function drawExactly(goal, width, difficulty, distance) {
  const distances = await distancesFrom(goal, width);
  const [least, most] = difficulty === "exactly" ? [distance, distance] : SHARES[difficulty].map((share) => Math.round(share * distances.farthest));
  return { ...distances.draw(least, most, randomBelow), exact: true };
}

/** Sum of the tiles' distances from home. */
function manhattan(cells, homes, width) {
  let sum = 0;
  cells.forEach((tile, cell) => {
    const home = homes[tile];
    if (tile) sum += Math.abs((cell % width) - (home % width)) + Math.abs(Math.floor(cell / width) - Math.floor(home / width));
  });
  return sum;
}

function homesOf(goal) {
  const homes = new Int32Array(goal.length);
  goal.forEach((tile, cell) => {
    homes[tile] = cell;
  });
  return homes;
}

/** What tiles lie from home on average: a little more than the sum of both sides' thirds, for each. */
function averageManhattan(width, height) {
  return (width * height - 1) * ((width - 1 / width) / 3 + (height - 1 / height) / 3);
}

/**
 * About how many moves a board needs: its Manhattan distance, and for tiles in each other's way up to
 * one more for each tile, the more the farther they are. On average boards from 3×3 to 5×5 this is
 * within some percent of the optimum.
 */
export function estimate(cells, goal, width) {
  const distance = manhattan(cells, homesOf(goal), width);
  const share = distance / averageManhattan(width, cells.length / width);
  const guess = distance + Math.round((cells.length - 1) * share);
  const parity = blankParity(cells, width) ^ blankParity(goal, width);
  return guess + ((guess ^ parity) & 1);
}

/** Each move takes the blank from a white to a black cell or back. */
function blankParity(cells, width) {
  const blank = cells.indexOf(0);
  return ((blank % width) + Math.floor(blank / width)) & 1;
}

/** Any board that can be solved, each equally likely. */
function drawAny(goal, width) {
  const cells = Array.from(goal);
  for (let last = cells.length - 1; last > 0; last -= 1) {
    const place = randomBelow(last + 1);
    [cells[last], cells[place]] = [cells[place], cells[last]];
  }
  if (!isSolvable(cells, goal, width)) {
    const [one, other] = [0, 1, 2].filter((cell) => cells[cell] !== 0);
    [cells[one], cells[other]] = [cells[other], cells[one]];
  }
  return cells;
}

/** Walk from the goal, never straight back, until the estimate is as asked for. */
function walk(goal, width, wanted) {
  const cells = Array.from(goal);
  const steps = blankSteps(width);
  const height = cells.length / width;
  let blank = cells.indexOf(0);
  let last = -1;
  for (let step = 0; step < cells.length * WALK_FACTOR; step += 1) {
    const room = [blank < (height - 1) * width, blank >= width, blank % width < width - 1, blank % width > 0];
    const ways = [0, 1, 2, 3].filter((move) => room[move] && move !== (last ^ 1));
    last = ways[randomBelow(ways.length)];
    cells[blank] = cells[blank + steps[last]];
    blank += steps[last];
    cells[blank] = 0;
    if (estimate(cells, goal, width) >= wanted) break;
  }
  return cells;
}

function drawAbout(goal, width, difficulty) {
  if (difficulty === "any") return drawAny(goal, width);
  if (difficulty === "hard") {
    const drawn = Array.from({ length: HARD_TRIES }, () => drawAny(goal, width));
    return drawn.reduce((one, other) => (estimate(one, goal, width) < estimate(other, goal, width) ? other : one));
  }
  const average = averageManhattan(width, goal.length / width) + goal.length - 1;
  const [least, most] = SHARES[difficulty].map((share) => Math.round(share * average));
  return walk(goal, width, least + randomBelow(most - least + 1));
}

/**
 * Make a board.
 * @param {number[]} goal with two rows and two columns at least
 * @param {number} width
 * @param {string} difficulty `any`, `easy`, `medium`, `hard`, or `exactly` where there are few cells
 * @param {number} distance moves, for `exactly`
 * @returns {Promise<{tiles: number[], distance: number, exact: boolean}>}
 */
export async function scramble(goal, width, difficulty, distance) {
  if (goal.length <= MOST_CELLS) return drawExactly(goal, width, difficulty, distance);
  const tiles = drawAbout(goal, width, difficulty);
  return { tiles, distance: estimate(tiles, goal, width), exact: false };
}
