// The form for a new game: size, difficulty and goal.

import { fill } from "../board/board_rendering.js";
import { MAX_CELLS } from "./game/distances.js";
import { makeGoal } from "./game/goals.js";
import { scramble } from "./game/scramble.js";

const SIDES = { least: 2, most: 20 };

export class NewGame {
  /**
   * @param {HTMLFormElement} form
   * @param {import("./game/session.js").Session} session
   * @param {object} words
   */
  constructor(form, session, words) {
    this.fields = form.elements;
    this.status = form.querySelector('[data-part="scrambled"]');
    this.session = session;
    this.words = words;
    form.addEventListener("input", () => this.#showFields());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    session.addEventListener("begun", () => this.#showGame());
    this.#showFields();
  }

  /** Show the current game's size in the form. */
  #showGame() {
    const { width, height } = this.session.game;
    if (Math.min(width, height) >= SIDES.least) {
      this.fields.width.value = width;
      this.fields.height.value = height;
    }
    this.status.textContent = "";
    this.#showFields();
  }

  #side(name) {
    const side = Math.round(Number(this.fields[name].value));
    this.fields[name].value = Math.max(SIDES.least, Math.min(SIDES.most, side || 4));
    return Number(this.fields[name].value);
  }

  /** Offer an exact distance for small boards only. */
  #showFields() {
    const { difficulty, distance, width, height } = this.fields;
    const isSmall = width.value * height.value <= MAX_CELLS;
    const exactOption = difficulty.querySelector('[value="exactly"]');
    exactOption.disabled = !isSmall;
    if (!isSmall && difficulty.value === "exactly") difficulty.value = "any";
    distance.closest(".field").hidden = difficulty.value !== "exactly";
  }

  /** Scramble a board and start a game with it. */
  async start() {
    const [width, height] = [this.#side("width"), this.#side("height")];
    this.#showFields();
    this.status.textContent = "";
    const kind = this.fields.difficulty.value;
    const goal = makeGoal(this.fields.goal.value, width, height);
    const requested = Math.max(1, Math.round(Number(this.fields.distance.value)) || 1);
    try {
      const board = await scramble(goal, width, kind, requested);
      this.session.begin(board.tiles, width, goal, { kind });
      const { distance, exact } = board;
      const isTooFar = kind === "exactly" && distance < requested;
      const words = isTooFar ? this.words.farthest : exact ? this.words.distance_exact : this.words.distance_about;
      this.status.textContent = fill(words, { moves: distance, asked: requested });
    } catch (error) {
      this.status.textContent = fill(this.words.no_scramble, { reason: error.message });
    }
  }
}
