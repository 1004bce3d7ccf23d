// A board's text and goal in a form: checked while typing and shown as tiles.
// Tiles, files, scrambles and examples all fill the same text field.

import { formatBoard, readGoal, readTiles } from "../board/board.js";
import { Editor } from "./editor.js";
import { gettext } from "../texts.js";
import { make } from "../elements.js";
import { postJson } from "../requests.js";

// Checks the board in a text field on the server as the visitor types; each request cancels the previous one.
// An empty board needs no request.

const PAUSE_MS = 250;

class BoardCheck {
  /**
   * @param {HTMLTextAreaElement} text its data attributes give the URL, and whether several boards are accepted
   * @param {() => object} goal returns the fields of the goal
   * @param {(response: string) => void} show called with the server's HTML; empty for an empty board
   */
  constructor(text, goal, show) {
    this.text = text;
    this.goal = goal;
    this.show = show;
    text.addEventListener("input", () => {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.request(), PAUSE_MS);
    });
  }

  cancel() {
    clearTimeout(this.pause);
    this.controller?.abort();
    this.controller = null;
  }

  async request() {
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    try {
      const html = await (this.text.value.trim() ? this.#fetchVerdict(controller.signal) : "");
      if (html !== null && this.controller === controller) this.show(html);
    } catch {
      // Cancelled, or no connection: the last result stays.
    }
  }

  async #fetchVerdict(signal) {
    const { check, several } = this.text.dataset;
    const body = new URLSearchParams({ board: this.text.value, ...this.goal(), ...(several && { several }) });
    const response = await fetch(check, { method: "POST", body, signal });
    return response.ok ? response.text() : null;
  }
}

// The error notice of a form. It stays until the form is changed; the server can render an error into it.
class ErrorNotice {
  constructor(form) {
    this.container = document.getElementById("form-error");
    for (const kind of ["input", "change", "check"]) form.addEventListener(kind, () => this.container.replaceChildren());
  }

  show(message) {
    this.container.replaceChildren(make("div", { className: "notice notice-bad" }, make("p", {}, message)));
  }
}

const element = (id) => document.getElementById(id);

export class BoardField {
  /**
   * @param {(tiles: number[], width: number, verdict: DOMStringMap) => void} onShown called with
   * every checked board
   * @param {(size: {width: number, height: number}) => void} onInvalid called after every other check, with the size
   * of an invalid, unfinished or empty board
   */
  constructor(form, onShown = () => {}, onInvalid = () => {}) {
    this.form = form;
    this.onShown = onShown;
    this.onInvalid = onInvalid;
    this.text = element("board");
    this.goal = element("goal");
    this.customGoal = element("goal-board");
    this.verdict = element("verdict");
    this.errorNotice = new ErrorNotice(form);
    this.editor = new Editor(element("editor-board"), (text, isComplete) => (isComplete ? this.setText(text) : this.#setUnfinished(text)));
    this.check = new BoardCheck(
      this.text,
      () => ({ goal: this.goal.value, goal_board: this.customGoal.value }),
      (response) => {
        this.verdict.innerHTML = response.trim();
        this.#showChecked();
      },
    );
    this.#listen();
    this.check.request();
    // After the first frame.
    requestAnimationFrame(() => setTimeout(() => document.querySelector(".examples")?.classList.add("examples-shown")));
  }

  #listen() {
    document.addEventListener("click", (event) => {
      const { line, column, goal, swap, text, goalBoard } = event.target.dataset;
      if (line) this.#selectError(Number(line), Number(column));
      if (!event.target.matches(".remedy")) return;
      event.preventDefault();
      if (goalBoard) {
        this.customGoal.value = goalBoard;
        this.goal.value = "own";
      }
      if (text) this.setText(text);
      else if (goal) this.setGoal(goal);
      else this.editor.swap(...swap.split(" ").map(Number));
    });
    this.goal.addEventListener("change", () => {
      const { goal, customGoal, editor } = this;
      if (goal.value === "own" && !customGoal.value.trim() && editor.goal) customGoal.value = formatBoard(editor.goal, editor.width);
      this.requestCheck();
    });
    this.customGoal.addEventListener("input", () => this.requestCheck());
    for (const kind of ["input", "check"]) this.text.addEventListener(kind, () => this.scrambling?.abort());
    for (const example of document.querySelectorAll(".example")) {
      example.addEventListener("click", () => {
        this.goal.value = example.dataset.goal;
        this.setText(example.dataset.board);
        this.form.scrollIntoView({ block: "start" });
      });
    }
  }

  /** Set the text of the board and check it. */
  setText(text) {
    this.text.value = text;
    this.requestCheck();
  }

  /** Show an edit that leaves cells to fill, which needs no check. */
  #setUnfinished(text) {
    this.#replaceText(text);
    this.#showHint();
    this.onInvalid(this.editor);
  }

  /** Replace the text without checking it. The event hides the error notice. */
  #replaceText(text) {
    this.check.cancel();
    this.text.value = text;
    this.text.dispatchEvent(new Event("check", { bubbles: true }));
  }

  /** Whether cells of the board have to be filled. */
  get isUnfinished() {
    return this.verdict.querySelector("[data-unfinished]") !== null;
  }

  /** Say how to continue, once, because screen readers announce it. */
  #showHint() {
    if (this.isUnfinished) return;
    const hint = make("p", { className: "notice" }, gettext("Type the number of each tile. The last cell becomes the blank."));
    hint.dataset.unfinished = "";
    this.verdict.replaceChildren(hint);
  }

  /** Empty the board, and continue with its first cell. */
  clear() {
    this.#replaceText("");
    this.verdict.replaceChildren();
    this.#showChecked();
    this.editor.host.scrollIntoView({ block: "nearest" });
    this.editor.moveTo(0);
  }

  /** Fill in a random board, unless another board or goal is entered before the response; with `moves` of 0, the goal. */
  async scramble(width, height, moves = null) {
    this.scrambling?.abort();
    const { signal } = (this.scrambling = new AbortController());
    const goal = this.goal.value === "own" ? this.customGoal.value : this.goal.value;
    try {
      const scrambled = await postJson("/api/v1/boards/scramble", { width, height, goal, moves }, signal);
      this.setText(formatBoard(scrambled.tiles, width));
    } catch (error) {
      if (!signal.aborted) this.errorNotice.show(gettext("Could not scramble: {reason}", { reason: error.message }));
    }
  }

  /** Select a goal by its name. */
  setGoal(name) {
    this.goal.value = name;
    this.goal.dispatchEvent(new Event("change", { bubbles: true }));
  }

  requestCheck() {
    // This event hides the error notice.
    this.text.dispatchEvent(new Event("check", { bubbles: true }));
    this.check.request();
  }

  /** Show the checked board as tiles. */
  #showChecked() {
    const verdict = this.verdict.querySelector("[data-tiles]");
    if (!verdict) {
      this.onInvalid(this.#showSketch());
      return;
    }
    const tiles = [...readTiles(verdict.dataset.tiles)];
    const width = Number(verdict.dataset.width);
    // An edit would replace all boards with one.
    this.editor.isLocked = Boolean(verdict.dataset.several);
    this.editor.show(tiles, width, [...readGoal(verdict.dataset.goal, tiles.length)]);
    this.onShown(tiles, width, verdict.dataset);
  }

  /** Draw an invalid board as far as it was read, or the cells of an empty one; return its size. */
  #showSketch() {
    const { editor, verdict } = this;
    const read = JSON.parse(verdict.querySelector("[data-invalid]")?.dataset.invalid ?? "null");
    const sketch = read?.height ? read : { width: editor.width, height: editor.height, rows: [], mark: null };
    editor.showSketch(sketch);
    if (!verdict.hasChildNodes()) this.#showHint();
    return sketch;
  }

  /** Move the caret to an error in the text. */
  #selectError(line, column) {
    const { text } = this;
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
    const length = /^[^\s,/\[\]()|]*/.exec(text.value.slice(start))[0].length;
    text.focus();
    text.setSelectionRange(start, start + Math.max(1, length));
  }
}
