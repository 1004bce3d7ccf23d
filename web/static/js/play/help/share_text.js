// The text that a visitor shares after a game: the figures, a picture in emoji, and a link.

const MAX_PICTURE_SIDE = 10; // a picture of a larger board would fill the screen
const BLANK = "⬜";
const THIRDS = ["🟦", "🟨", "🟧"];

/**
 * Return one emoji per cell: the third of the game (first, second or last) in which the tile reached it
 * for the last time. The picture does not reveal the solution.
 */
function drawProgress({ start, goal, width, history, steps }) {
  const cells = Array.from(start);
  const placedAt = new Array(cells.length).fill(0);
  let blank = cells.indexOf(0);
  history.forEach(({ move, count }, slide) => {
    for (let moved = 0; moved < count; moved += 1) {
      const from = blank + steps[move];
      [cells[blank], cells[from]] = [cells[from], 0];
      placedAt[blank] = slide + 1;
      blank = from;
    }
  });
  const emoji = placedAt.map((slide, cell) => (goal[cell] === 0 ? BLANK : THIRDS[Math.min(2, Math.floor((slide / (history.length + 1)) * 3))]));
  return Array.from({ length: cells.length / width }, (_, row) => emoji.slice(row * width, (row + 1) * width).join("")).join("\n");
}

/**
 * @param {import("../game/session.js").Session} session
 * @param {string} title
 * @param {string} figures
 */
export function composeShareText({ game, origin }, title, figures) {
  const picture = Math.max(game.width, game.height) <= MAX_PICTURE_SIDE ? [drawProgress(game)] : [];
  return [title, figures, ...picture, makeShareUrl(game, origin)].join("\n");
}

/** Return a link to the day's puzzle, or to the game's first board. */
function makeShareUrl(game, { kind }) {
  return kind === "daily" ? `${location.origin}${location.pathname}#daily-${game.width}` : `${location.origin}${location.pathname}${location.search}`;
}
