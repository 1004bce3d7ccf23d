// The form for another board: size, difficulty, goal.

import { fill } from "../board/make_board.js";
import { MOST_CELLS } from "./game/distances.js";
import { namedGoal } from "./game/goals.js";
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
    this.said = form.querySelector('[data-part="scrambled"]');
    this.session = session;
    this.words = words;
    form.addEventListener("input", () => this.#showFields());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.draw();
    });
    session.addEventListener("begun", () => this.#follow());
    this.#showFields();
  }

  /** The form speaks of the game that is played. */
  #follow() {
    const { width, height } = this.session.game;
    if (Math.min(width, height) >= SIDES.least) {
      this.fields.width.value = width;
      this.fields.height.value = height;
    }
    this.said.textContent = "";
    this.#showFields();
  }

  #side(name) {
    const side = Math.round(Number(this.fields[name].value));
    this.fields[name].value = Math.max(SIDES.least, Math.min(SIDES.most, side || 4));
    return Number(this.fields[name].value);
  }

  /** Exact distances are for small boards only. */
  #showFields() {
    const { difficulty, distance, width, height } = this.fields;
    const small = width.value * height.value <= MOST_CELLS;
    const exactly = difficulty.querySelector('[value="exactly"]');
    exactly.disabled = !small;
    if (!small && difficulty.value === "exactly") difficulty.value = "any";
    distance.closest(".field").hidden = difficulty.value !== "exactly";
  }

  /** Draw a board and begin with it. */
  async draw() {
    const [width, height] = [this.#side("width"), this.#side("height")];
    this.#showFields();
    this.said.textContent = "";
    const kind = this.fields.difficulty.value;
    const goal = namedGoal(this.fields.goal.value, width, height);
    const asked = Math.max(1, Math.round(Number(this.fields.distance.value)) || 1);
    try {
      const drawn = await scramble(goal, width, kind, asked);
      this.session.begin(drawn.tiles, width, goal, { kind });
      const { distance, exact } = drawn;
      const far = kind === "exactly" && distance < asked;
      const words = far ? this.words.farthest : exact ? this.words.distance_exact : this.words.distance_about;
      this.said.textContent = fill(words, { moves: distance, asked });
    } catch (error) {
      this.said.textContent = fill(this.words.no_scramble, { reason: error.message });
    }
  }
}
