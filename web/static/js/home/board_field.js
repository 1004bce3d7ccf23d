// A board's text and goal in a form: checked while they are typed, shown as tiles.
// Tiles, files, scrambles and examples are all ways to fill the one text field.

import { Check } from "./check.js";
import { Editor } from "./editor.js";
import { Refusal } from "./refusal.js";
import { boardText } from "../board/board_text.js";
import { readGoal, readTiles } from "../board/make_board.js";

const element = (id) => document.getElementById(id);

export class BoardField {
  /**
   * @param {HTMLFormElement} form
   * @param {object} words
   * @param {(tiles: number[], width: number, verdict: DOMStringMap) => void} onShown called with
   *   every checked board
   */
  constructor(form, words, onShown = () => {}) {
    this.form = form;
    this.onShown = onShown;
    this.text = element("board");
    this.goal = element("goal");
    this.ownGoal = element("goal-board");
    this.verdict = element("verdict");
    this.refusal = new Refusal(form);
    this.editor = new Editor(element("editor-board"), words, (text) => this.setText(text));
    this.check = new Check(
      this.text,
      () => ({ goal: this.goal.value, goal_board: this.ownGoal.value }),
      (answer) => {
        this.verdict.innerHTML = answer.trim();
        this.#showJudged();
      },
    );
    this.#listen();
    this.check.ask();
    // Behind the first frame.
    requestAnimationFrame(() => setTimeout(() => document.querySelector(".examples")?.classList.add("examples-shown")));
  }

  #listen() {
    document.addEventListener("click", (event) => {
      const { line, column, goal, swap } = event.target.dataset;
      if (line) this.#goTo(Number(line), Number(column));
      if (!event.target.matches(".remedy")) return;
      event.preventDefault();
      if (goal) this.setGoal(goal);
      else this.editor.exchange(...swap.split(" ").map(Number));
    });
    this.goal.addEventListener("change", () => {
      const { goal, ownGoal, editor } = this;
      if (goal.value === "own" && !ownGoal.value.trim() && editor.goal) ownGoal.value = boardText(editor.goal, editor.width);
      this.judge();
    });
    this.ownGoal.addEventListener("input", () => this.judge());
    for (const example of document.querySelectorAll(".example")) {
      example.addEventListener("click", () => {
        this.goal.value = example.dataset.goal;
        this.setText(example.dataset.board);
        this.form.scrollIntoView({ block: "start" });
      });
    }
  }

  /** Put a board into the field and have it checked. */
  setText(text) {
    this.text.value = text;
    this.judge();
  }

  /** Choose a goal by its name. */
  setGoal(name) {
    this.goal.value = name;
    this.goal.dispatchEvent(new Event("change", { bubbles: true }));
  }

  judge() {
    // Who shows a refusal takes it away.
    this.text.dispatchEvent(new Event("check", { bubbles: true }));
    this.check.ask();
  }

  /** Show the checked board as tiles; while the text is incomplete, the last valid board stays. */
  #showJudged() {
    const verdict = this.verdict.querySelector("[data-tiles]");
    if (!verdict) return;
    const tiles = [...readTiles(verdict.dataset.tiles)];
    const width = Number(verdict.dataset.width);
    // An edit would put one board in the place of all.
    this.editor.locked = Boolean(verdict.dataset.several);
    this.editor.show(tiles, width, [...readGoal(verdict.dataset.goal, tiles.length)]);
    this.onShown(tiles, width, verdict.dataset);
  }

  /** Put the caret where the text is wrong. */
  #goTo(line, column) {
    const { text } = this;
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    const length = /^[^\s,/\[\]()|]*/.exec(text.value.slice(start))[0].length;
    text.focus();
    text.setSelectionRange(start, start + Math.max(1, length));
  }
}
