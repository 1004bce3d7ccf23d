// The play page: creates and connects its parts.

import { readGoal, readTiles } from "../board/board_rendering.js";
import { formatBoardLine } from "../board/board_format.js";
import { formatGoal, makeGoal } from "./game/goals.js";
import { Session } from "./game/session.js";
import { Daily, isSecret } from "./help/daily.js";
import { ResultPanel } from "./help/result_panel.js";
import { Guide } from "./help/guide.js";
import { Race } from "./help/race.js";
import { saveGame } from "./storage/records.js";
import { RecordsView } from "./storage/records_view.js";
import { parseBoardQuery, autosaveSession, loadSavedGame } from "./storage/saved_game.js";
import { NewGame } from "./new_game.js";
import { registerOfflineWorker } from "./offline.js";
import { BoardView } from "./view/board_view.js";
import { Counters } from "./view/counters.js";
import { Gestures } from "./view/gestures.js";
import { Keys } from "./view/keys.js";
import { Options } from "./view/options.js";
import { PictureField } from "./view/picture_field.js";
import { Sound } from "./view/sound.js";

const root = document.getElementById("play");
const words = JSON.parse(document.getElementById("content").dataset.words);
const part = (name) => root.querySelector(`[data-part="${name}"]`);

const session = new Session();
const host = part("board");
const view = new BoardView(host);
const sound = new Sound();
const records = new RecordsView(root, words);
const daily = new Daily(root, session, words, showBoard);
const newGame = new NewGame(part("new-game"), session, words, showBoard);
let blind = false;

/** Scroll to the board, wherever the button for a new one was, and let keys move its tiles. */
function showBoard() {
  part("boards").scrollIntoView({ block: "nearest" });
  host.focus({ preventScroll: true });
}

function restart() {
  session.restart();
  showBoard();
}

/** Start the next daily puzzle of the day, or a new board of the form's size. */
function startNext() {
  const isDaily = session.origin.kind === "daily";
  if (isDaily && daily.next !== null) daily.open(daily.next);
  else newGame.start().then((isStarted) => isStarted && showBoard());
}

/** Whether the numbers are hidden: from the first move until the end. */
const isBlind = () => blind && session.game.slides > 0 && !session.ended;
const updateBlind = () => host.classList.toggle("board-blind", isBlind());

session.addEventListener("begun", () => {
  view.show(session.game);
  updateBlind();
});
session.addEventListener("moved", () => {
  view.draw(session.game);
  updateBlind();
  sound.click();
});
session.addEventListener("solved", () => {
  sound.chord();
  resultPanel.show(session.helped ? [] : saveFinishedGame());
});

/** Save the finished game and return the records that it breaks. */
function saveFinishedGame() {
  const { game, clock, origin } = session;
  const brokenRecords = saveGame({
    size: `${game.width}×${game.height}`,
    ...origin,
    ended: new Date().toISOString(),
    board: formatBoardLine(game.start, game.width),
    goal: formatGoal(game.goal, game.width, formatBoardLine),
    letters: game.letters,
    moves: game.moves,
    slides: game.slides,
    ms: clock.ms,
  });
  records.show();
  daily.show();
  return brokenRecords;
}

const counters = new Counters(root, session, words, isBlind);
const resultPanel = new ResultPanel(root, session, view, counters, words, {
  next: startNext,
  again: restart,
  race() {
    race.challenge();
    showBoard();
  },
});
new Gestures(view, session);
new Keys(host, session);
new PictureField(root, session, view, words);
new Guide(root, session, view, words, () => isSecret(session));
const race = new Race(root, session, words, () => isSecret(session));
part("undo").addEventListener("click", () => session.undo());
part("redo").addEventListener("click", () => session.redo());
part("restart").addEventListener("click", restart);
autosaveSession(session);

/** Return the board in the URL as parsed by the server or, offline, by this page. */
function readRequestedBoard() {
  const { board, width, goal } = root.dataset;
  if ("refused" in root.dataset) return null;
  if (!board) return parseBoardQuery(location.search);
  const tiles = readTiles(board);
  return { tiles, width: Number(width), goal: readGoal(goal, tiles.length) };
}

/** Resume the saved game if it has the requested board, otherwise start a game with that or a new board. */
async function open() {
  const requested = readRequestedBoard();
  const saved = loadSavedGame(requested);
  try {
    if (saved) return session.resume(saved);
  } catch {
    // The stored value is not a valid game.
  }
  if (requested) return session.begin(requested.tiles, requested.width, requested.goal, { kind: "given" });
  const goal = makeGoal("blank-last", 4, 4);
  session.begin(goal, 4, goal, { kind: "any" });
  return newGame.start();
}

const linked = daily.linked; // before the game's URL replaces the link
open().then(() => linked && daily.open(linked));
// Let keys work immediately; touch needs no focus.
if (document.activeElement === document.body && matchMedia("(hover: hover)").matches) host.focus({ preventScroll: true });
new Options(root, ["blind", "sound"], (chosen) => {
  blind = chosen.blind;
  sound.isOn = chosen.sound;
  updateBlind();
});
registerOfflineWorker();
