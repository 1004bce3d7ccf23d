// The play page: creates and connects its parts.

import { readGoal, readTiles, formatBoardLine } from "../board/board.js";
import { Session } from "./game/game.js";
import { formatGoal, makeGoal } from "./game/goals.js";
import { Daily, isSecret } from "./help/daily.js";
import { Guide } from "./help/guide.js";
import { ResultPanel } from "./help/result_panel.js";
import { NewGame } from "./new_game.js";
import { saveGame, autosaveSession, hasBoard, isDaily, parseBoardQuery, resumeGame } from "./storage.js";
import { BoardView } from "./view/board_view.js";
import { RecordsView, Counters } from "./view/counters.js";
import { Gestures, Keys } from "./view/input.js";
import { Options, Sound } from "./view/options.js";
import { PictureField } from "./view/picture.js";
import { gettext } from "../texts.js";

// Makes the play page available offline if the browser supports service workers.

const WORKER = "/play/offline.js";
const SCOPE = "/play";

/** Register the service worker; if that fails, the page works only online. */
async function registerOfflineWorker() {
  try {
    await navigator.serviceWorker?.register(WORKER, { scope: SCOPE });
  } catch {
    // Some browsers do not allow it in private windows.
  }
}

const root = document.getElementById("play");
const part = (name) => root.querySelector(`[data-part="${name}"]`);

const session = new Session();
const host = part("board");
const view = new BoardView(host);
const sound = new Sound();
const records = new RecordsView(root);
const daily = new Daily(root, session, () => {
  showBoard();
  if (session.ended && session.game.slides) resultPanel.show([]);
});
const newGame = new NewGame(part("new-game"), session, showBoard);
let hidesNumbers = false;

/** Scroll to the board, wherever the visitor was on the page, and let keys move its tiles. */
function showBoard() {
  host.scrollIntoView({ block: "nearest" });
  host.focus({ preventScroll: true });
}

function restart() {
  session.restart();
  showBoard();
}

/** The size of the next daily puzzle of the day, if there is one after the current game. */
const nextDaily = () => (isDaily(session) ? daily.nextSize : null);

function nameNext() {
  const size = nextDaily();
  if (size !== null) return gettext("Next: {size}", { size: `${size}×${size}` });
  return isDaily(session) ? gettext("Free play") : gettext("Next board");
}

/** Start the next daily puzzle of the day, or a new board of the form's size. */
function startNext() {
  const size = nextDaily();
  if (size !== null) daily.open(size);
  else newGame.start().then((isStarted) => isStarted && showBoard());
}

/** Whether the numbers are hidden: from the first move until the end. */
const isBlind = () => hidesNumbers && session.game.slides > 0 && !session.ended;
const updateBlind = () => host.classList.toggle("board-blind", isBlind());

session.addEventListener("started", () => {
  view.show(session.game);
  updateBlind();
  counters.showAverages();
});
session.addEventListener("moved", () => {
  view.draw(session.game);
  updateBlind();
  sound.playClick();
});
session.addEventListener("solved", () => {
  sound.playChord();
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
  counters.showAverages();
  return brokenRecords;
}

const counters = new Counters(root, session, isBlind);
const resultPanel = new ResultPanel(root, session, view, counters, {
  next: startNext,
  nameNext,
  again: restart,
});
new Gestures(view, session);
new Keys(host, session);
new PictureField(root, session, view);
new Guide(root, session, view, () => isSecret(session));
part("undo").addEventListener("click", () => session.undo());
part("redo").addEventListener("click", () => session.redo());
part("restart").addEventListener("click", restart);
autosaveSession(session);

/** Return the board in the URL as parsed by the server or, offline, by this page. */
function readRequestedBoard() {
  const { board, width, goal } = root.dataset;
  if ("invalid" in root.dataset) return null;
  if (!board) return parseBoardQuery(location.search);
  const tiles = readTiles(board);
  return { tiles, width: Number(width), goal: readGoal(goal, tiles.length) };
}

/** Resume the saved game of the requested board, or else an unfinished one that is free play; otherwise start a game. */
async function openGame() {
  const requestedBoard = readRequestedBoard();
  const isWanted = (savedGame) => (requestedBoard ? hasBoard(savedGame, requestedBoard) : !savedGame.ended && !isDaily(savedGame));
  if (resumeGame(session, isWanted)) {
    if (session.ended && session.game.slides) resultPanel.show([]);
    return undefined;
  }
  if (requestedBoard) return session.begin(requestedBoard.tiles, requestedBoard.width, requestedBoard.goal, { kind: "given" });
  const goal = makeGoal("blank-last", 4, 4);
  session.begin(goal, 4, goal, { kind: "any" });
  return newGame.start();
}

if (daily.linkedSize === null) openGame();
else daily.open(daily.linkedSize);
// Focus the board so that keys work immediately; touch needs no focus.
if (document.activeElement === document.body && matchMedia("(hover: hover)").matches) host.focus({ preventScroll: true });
new Options(root, ["blind", "sound"], (options) => {
  hidesNumbers = options.blind;
  sound.isOn = options.sound;
  updateBlind();
});
registerOfflineWorker();
