// A solution's player embedded in another site's page.

import { makeBoard, readGoal, readTiles } from "../board/board.js";
import { Moves } from "../board/moves.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { gettext } from "../texts.js";

const root = document.getElementById("embed");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const { url, width, height } = root.dataset;
const tiles = readTiles(root.dataset.board);
const goal = readGoal(root.dataset.goal, tiles.length);

function showError(error) {
  part("controls").hidden = true;
  part("loading").textContent = gettext("Could not load the solution: {reason}", { reason: error.message });
  part("loading").hidden = false;
}

makeBoard(part("board"), Number(width), Number(height), goal).draw(tiles, true);
try {
  const playback = new Playback(tiles, Number(width), await Moves.open(url));
  const player = new Player(part("player"), playback, goal, showError);
  await player.whenUsed; // before that, most of a long solution need not be loaded
  await playback.load(() => {}, player.lifetime.signal);
} catch (error) {
  showError(error);
}
