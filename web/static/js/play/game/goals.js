// Named goals and solvability, as on the server, so that games can be created offline.

function spiral(width, height) {
  const cells = new Array(width * height).fill(0);
  let [top, left, bottom, right] = [0, 0, height - 1, width - 1];
  let tile = 1;
  const put = (row, column) => {
    cells[row * width + column] = tile % cells.length;
    tile += 1;
  };
  while (top <= bottom && left <= right) {
    for (let column = left; column <= right; column += 1) put(top, column);
    for (let row = top + 1; row <= bottom; row += 1) put(row, right);
    if (bottom > top) for (let column = right - 1; column >= left; column -= 1) put(bottom, column);
    if (right > left) for (let row = bottom - 1; row > top; row -= 1) put(row, left);
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
  spiral,
};

/** Whether a text is the name of a goal. */
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

/** Return the blank's distance from its goal cell; each move changes it by one. */
function blankDistance(cells, goal, width) {
  const [here, there] = [cells.indexOf(0), goal.indexOf(0)];
  return Math.abs(Math.floor(here / width) - Math.floor(there / width)) + Math.abs((here % width) - (there % width));
}

/** Whether a board can reach the goal; both need at least two rows and two columns. */
export function isSolvable(cells, goal, width) {
  const homes = new Int32Array(goal.length);
  goal.forEach((tile, cell) => {
    homes[tile] = cell;
  });
  const seen = new Uint8Array(cells.length);
  let transpositions = 0;
  for (let first = 0; first < cells.length; first += 1) {
    for (let cell = homes[cells[first]]; !seen[first] && cell !== first; cell = homes[cells[cell]]) {
      seen[cell] = 1;
      transpositions += 1;
    }
    seen[first] = 1;
  }
  return (transpositions + blankDistance(cells, goal, width)) % 2 === 0;
}
