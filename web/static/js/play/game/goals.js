// Named goals and solvability, as on the server, so that games can be created offline.

function makeSpiral(width, height) {
  const cells = new Array(width * height).fill(0);
  let [top, left, bottom, right] = [0, 0, height - 1, width - 1];
  let tile = 1;
  const placeTile = (row, column) => {
    cells[row * width + column] = tile % cells.length;
    tile += 1;
  };
  while (top <= bottom && left <= right) {
    for (let column = left; column <= right; column += 1) placeTile(top, column);
    for (let row = top + 1; row <= bottom; row += 1) placeTile(row, right);
    if (bottom > top) for (let column = right - 1; column >= left; column -= 1) placeTile(bottom, column);
    if (right > left) for (let row = bottom - 1; row > top; row -= 1) placeTile(row, left);
    top += 1;
    left += 1;
    bottom -= 1;
    right -= 1;
  }
  return cells;
}

const MAKERS = {
  "blank-last": (width, height) => Array.from({ length: width * height }, (_, cell) => (cell + 1) % (width * height)),
  "blank-first": (width, height) => Array.from({ length: width * height }, (_, cell) => cell),
  spiral: makeSpiral,
  columns: (width, height) => Array.from({ length: width * height }, (_, cell) => (Math.floor(cell / width) + (cell % width) * height + 1) % (width * height)),
  descending: (width, height) => Array.from({ length: width * height }, (_, cell) => width * height - 1 - cell),
};

/** Whether a string is the name of a goal. */
export function isGoalName(text) {
  return Object.hasOwn(MAKERS, text);
}

/** Return the tiles of a named goal, row by row. */
export function makeGoal(name, width, height) {
  return MAKERS[name](width, height);
}

/** Return a goal's name if it has one, otherwise its text, as the API accepts it. */
export function formatGoal(goal, width, formatBoard) {
  const height = goal.length / width;
  const name = Object.keys(MAKERS).find((key) => MAKERS[key](width, height).every((tile, cell) => tile === goal[cell]));
  return name ?? formatBoard(goal, width);
}

/** Return the colour of the blank's cell on a chessboard; each move changes it. */
export function computeBlankParity(cells, width) {
  const blank = cells.indexOf(0);
  return ((blank % width) + Math.floor(blank / width)) & 1;
}

/** Return the cell of each tile. */
export function findHomes(goal) {
  const homes = new Int32Array(goal.length);
  goal.forEach((tile, cell) => (homes[tile] = cell));
  return homes;
}

/** Whether a board can reach the goal; both need at least two rows and two columns. */
export function isSolvable(cells, goal, width) {
  const homes = findHomes(goal);
  const visited = new Uint8Array(cells.length);
  let transpositions = 0;
  for (let first = 0; first < cells.length; first += 1) {
    for (let cell = homes[cells[first]]; !visited[first] && cell !== first; cell = homes[cells[cell]]) {
      visited[cell] = 1;
      transpositions += 1;
    }
    visited[first] = 1;
  }
  return (transpositions + computeBlankParity(cells, width) + computeBlankParity(goal, width)) % 2 === 0;
}
