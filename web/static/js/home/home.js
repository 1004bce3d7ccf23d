// The home page: a board as text, tiles, file, scramble or example, and the solving options.

import { formatBoard, makeBoard } from "../board/board.js";
import { formatMoves } from "../job/formats.js";
import { isGoalName, makeGoal } from "../play/game/goals.js";
import { isDaily, readStored } from "../play/storage.js";
import { BoardField } from "./board_field.js";
import { fill, gettext } from "../texts.js";

// Saves the form's content for this tab: it is restored when the page is reloaded, revisited by the back
// button, or switched to another language. A newly opened page starts empty.

const NAME = "tilework-form";

class Draft {
  constructor(form) {
    this.form = form;
    for (const kind of ["input", "change", "check"]) form.addEventListener(kind, () => this.#save());
    document.querySelector(".languages")?.addEventListener("submit", () => this.#save(true));
  }

  /** Restore the form's saved content; returns false if there is none to restore. */
  restore() {
    const saved = readDraft();
    const [{ type }] = performance.getEntriesByType("navigation");
    const isRevisited = type === "reload" || type === "back_forward" || saved?.switched;
    if (!isRevisited || saved?.search !== location.search) return false;
    for (const [name, value] of Object.entries(saved.fields)) {
      const field = this.form.elements.namedItem(name);
      if (field) field.value = value;
    }
    this.#save();
    return true;
  }

  #save(switched = false) {
    const { search } = location;
    const fields = Object.fromEntries(new FormData(this.form));
    try {
      sessionStorage.setItem(NAME, JSON.stringify({ search, fields, switched }));
    } catch {
      // Storage is full or not allowed: the page works without it.
    }
  }
}

function readDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
}

/** Offer the unfinished game of a visitor who comes back, unless a search of theirs is running. */
function greet(status) {
  const { start, width, way: slides, ended, ...game } = readStored("game") ?? {};
  if (status.firstElementChild || ended || !slides?.length || isDaily(game)) return;
  const link = status.appendChild(document.createElement("a"));
  link.href = status.dataset.play;
  const count = slides.reduce((sum, [, tiles]) => sum + tiles, 0);
  const moves = formatMoves(count);
  link.textContent = gettext("Your {size}: {moves} so far", { size: `${width}×${start.length / width}`, moves });
}

// Guides a newcomer through the first move on the example with which the page opens.
class FirstMove {
  /**
   * @param {HTMLElement} host the board
   * @param {HTMLElement} status its data attributes give the example, the tile to move, and the number of moves left
   * after it
   */
  constructor(host, status) {
    this.host = host;
    this.status = status;
    const { board, tile, left } = status.dataset;
    this.tile = Number(tile);
    this.remainingMoves = left;
    this.boardBefore = board;
    this.boardAfter = moveIntoBlank(board.split(" ").map(Number), this.tile).join(" ");
  }

  /** Show the hint for the first move, or the message after it. */
  show(tiles) {
    if (this.status.firstElementChild) return; // the visitor was here before
    const board = tiles.join(" ");
    const isWaiting = board === this.boardBefore;
    const hasMoved = board === this.boardAfter && this.wasWaiting;
    this.host.querySelector(".tile-pointed")?.classList.remove("tile-pointed");
    if (isWaiting) this.host.querySelector(`[data-tile="${this.tile}"]`).classList.add("tile-pointed");
    this.status.textContent = isWaiting ? gettext("Your first move: tile {tile}.", { tile: this.tile }) : hasMoved ? gettext("Good! Now {moves} moves remain.", { moves: this.remainingMoves }) : "";
    this.wasWaiting = isWaiting;
  }
}

function moveIntoBlank(tiles, movedTile) {
  return tiles.map((tile) => (tile === movedTile ? 0 : tile === 0 ? movedTile : tile));
}

const MAX_GOAL_SIDE = 100; // of an invalid board, whose text can have any number of rows and columns

const element = (id) => document.getElementById(id);
const form = element("solve");

new Draft(form).restore();
greet(element("guide"));
const firstMove = new FirstMove(element("editor-board"), element("guide"));
const field = new BoardField(form, showBoardDetails, showInvalid);
for (const kind of ["input", "check"]) field.text.addEventListener(kind, allowSolving);
allowSolving();

/** Allow solving unless the board is empty. */
function allowSolving() {
  element("solve-it").disabled = !field.text.value.trim();
}

/** Expand the options if any differs from its default, so that the change is visible. */
function expandChangedOptions() {
  const options = element("options");
  const defaults = Object.entries(JSON.parse(options.dataset.defaults));
  const current = new FormData(form);
  if (defaults.some(([name, value]) => current.get(name) !== value)) options.open = true;
}

expandChangedOptions();

/** Show the size of a board, whether or not it is valid. */
function showSize(width, height) {
  element("width").value = width;
  element("height").value = height;
  for (const preset of form.querySelectorAll("[data-size]")) {
    preset.setAttribute("aria-pressed", String(width === height && Number(preset.dataset.size) === width));
  }
}

/** Draw the goal beside the board. */
function showGoal(goal, width, height) {
  const shape = `${width} ${goal.join(" ")}`;
  const host = element("goal-picture");
  if (host.dataset.shape !== shape) makeBoard(host, width, height, goal).draw(goal, true);
  host.dataset.shape = shape;
}

function showInvalid({ width: columns, height: rows }) {
  showActions({});
  if (field.isUnfinished) element("solve-it").disabled = true;
  showSize(columns, rows);
  firstMove.show([]);
  const [width, height] = [columns, rows].map((side) => Math.min(side, MAX_GOAL_SIDE));
  const { value } = field.goal;
  showGoal(makeGoal(isGoalName(value) ? value : "blank-last", width, height), width, height);
}

/** Update the link to play and the button to solve; without a link, playing is disabled. */
function showActions({ play, several }) {
  const link = element("play");
  if (play) link.href = play;
  else link.removeAttribute("href");
  link.setAttribute("aria-disabled", String(!play));
  element("solve-it").textContent = several ? gettext("Solve all {count}", { count: several }) : gettext("Solve");
}

/** Update the size fields, the goal, the guide and the actions for a new board. */
function showBoardDetails(tiles, width, actions) {
  const height = tiles.length / width;
  showSize(width, height);
  showGoal(field.editor.goal, width, height);
  firstMove.show(tiles);
  showActions(actions);
  expandChangedOptions();
}

/** Fill in a random board of the selected size; with `moves` of 0, the goal. */
function scramble(moves) {
  const sides = [element("width"), element("height")];
  if (sides.every((side) => side.reportValidity())) field.scramble(...sides.map(({ value }) => Number(value)), moves);
}

for (const kind of ["click", "keydown"]) {
  element("play").addEventListener(kind, ({ currentTarget: link, key = "Enter" }) => {
    const { width, height } = field.editor;
    const { side, tooLarge } = link.dataset;
    const isTooLarge = !link.href && Math.max(width, height) > side;
    if (isTooLarge && key === "Enter") showError(fill(tooLarge, { size: `${width}×${height}` }));
  });
}
element("in-order").addEventListener("click", () => scramble(0));
element("scramble").addEventListener("click", () => scramble(null));
for (const preset of form.querySelectorAll("[data-size]")) {
  preset.addEventListener("click", () => {
    element("width").value = element("height").value = preset.dataset.size;
    // A custom goal has another size.
    if (field.goal.value === "own") field.goal.value = "blank-last";
    scramble(null);
  });
}
for (const side of ["width", "height"]) {
  // Enter would submit the form with the old board.
  element(side).addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    scramble(null);
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) element("solve-it").click();
});
for (const radio of document.getElementsByName("editor-mode")) {
  radio.addEventListener("change", () => field.editor.setMode(radio.value));
}
element("clear").addEventListener("click", () => field.clear());

const showError = (message) => field.errorNotice.show(message);

let pictureReader = null;

/** Read a picture; the code for this is loaded on first use. */
async function readPicture(file) {
  const { PictureReader } = await import("./upload.js");
  const useBoard = (tiles, width) => {
    field.setText(formatBoard(tiles, width));
    field.text.focus();
  };
  pictureReader ??= new PictureReader(element("picture-status"), useBoard, showError);
  await pictureReader.read(file);
}

async function readFile(file) {
  if (file.type.startsWith("image/")) {
    await readPicture(file);
    return;
  }
  const { readBoardFile } = await import("./upload.js");
  try {
    field.setText(await readBoardFile(file, element("file").dataset.url));
  } catch (error) {
    showError(error.message);
  }
}

for (const name of ["file", "picture", "camera"]) {
  element(name).addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (file) await (name === "file" ? readFile(file) : readPicture(file));
    target.value = ""; // so that the same file can be chosen again after a change
  });
}
field.text.addEventListener("dragover", (event) => event.preventDefault());
field.text.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  readFile(file);
});
// A copied screenshot, or a board as text outside of the fields for text.
document.addEventListener("paste", (event) => {
  const [file] = event.clipboardData?.files ?? [];
  const text = event.clipboardData?.getData("text");
  const isField = event.target.matches("textarea, input:not(.tile-input)");
  if (file?.type.startsWith("image/")) readPicture(file);
  else if (text?.trim() && !isField) field.setText(text);
  else return;
  event.preventDefault();
});
