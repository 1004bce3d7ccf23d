// The page on which people play: what there is, joined.

import { readGoal, readTiles } from "../board/make_board.js";
import { boardLine } from "../board/board_text.js";
import { goalText, namedGoal } from "./game/goals.js";
import { Session } from "./game/session.js";
import { Daily, isSecret } from "./help/daily.js";
import { Ending } from "./help/ending.js";
import { Guide } from "./help/guide.js";
import { Race } from "./help/race.js";
import { keepGame } from "./kept/records.js";
import { RecordsView } from "./kept/records_view.js";
import { boardInAddress, keepSession, savedGame } from "./kept/saved.js";
import { NewGame } from "./new_game.js";
import { playOffline } from "./offline.js";
import { BoardView } from "./view/board_view.js";
import { Figures } from "./view/figures.js";
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
const ending = new Ending(root, session, words);
const daily = new Daily(root, session, words);
const newGame = new NewGame(part("new-game"), session, words);
let blind = false;

/** Numbers are hidden from the first move on, until the end. */
const isBlind = () => blind && session.game.slides > 0 && !session.ended;
const showBlind = () => host.classList.toggle("board-blind", isBlind());

session.addEventListener("begun", () => {
  view.show(session.game);
  showBlind();
});
session.addEventListener("moved", () => {
  view.draw(session.game);
  showBlind();
  sound.click();
});
session.addEventListener("solved", () => {
  sound.chord();
  ending.show(session.helped ? [] : keep());
});

/** Keep the ended game; returns the records that it breaks. */
function keep() {
  const { game, clock, origin } = session;
  const beaten = keepGame({
    size: `${game.width}×${game.height}`,
    ...origin,
    ended: new Date().toISOString(),
    board: boardLine(game.start, game.width),
    goal: goalText(game.goal, game.width, boardLine),
    letters: game.letters,
    moves: game.moves,
    slides: game.slides,
    ms: clock.ms,
  });
  records.show();
  daily.show();
  return beaten;
}

new Figures(root, session, words, isBlind);
new Gestures(view, session);
new Keys(host, session);
new PictureField(root, session, view, words);
new Guide(root, session, view, words, () => isSecret(session));
new Race(root, session, words, () => isSecret(session));
part("undo").addEventListener("click", () => session.undo());
part("redo").addEventListener("click", () => session.redo());
part("restart").addEventListener("click", () => {
  session.restart();
  host.focus({ preventScroll: true });
});
part("new-game").addEventListener("submit", () => host.focus({ preventScroll: true }));
keepSession(session);

/** The board of the address, as the server has read it; without the server, as this page writes it. */
function boardAsked() {
  const { board, width, goal } = root.dataset;
  if ("refused" in root.dataset) return null;
  if (!board) return boardInAddress(location.search);
  const tiles = readTiles(board);
  return { tiles, width: Number(width), goal: readGoal(goal, tiles.length) };
}

/** Go on with the kept game if it is the one asked for, else begin with that, else with a new one. */
function open() {
  const asked = boardAsked();
  const saved = savedGame(asked);
  try {
    if (saved) return session.resume(saved);
  } catch {
    // Whatever was kept is no game of this page.
  }
  if (asked) return session.begin(asked.tiles, asked.width, asked.goal, { kind: "given" });
  const goal = namedGoal("blank-last", 4, 4);
  session.begin(goal, 4, goal, { kind: "any" });
  return newGame.draw();
}

open();
// Keys work at once; a finger needs no focus.
if (document.activeElement === document.body && matchMedia("(hover: hover)").matches) host.focus({ preventScroll: true });
new Options(root, ["blind", "sound"], (chosen) => {
  blind = chosen.blind;
  sound.on = chosen.sound;
  showBlind();
});
playOffline();
