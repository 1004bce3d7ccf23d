// The form for a new game: size, difficulty and goal.

import { formatMoves } from "../job/formats.js";
import { MAX_CELLS, scramble } from "./game/scramble.js";
import { makeGoal } from "./game/goals.js";
import { fill, gettext } from "../texts.js";

const SIDES = { min: 2, max: 20 };

export class NewGame {
  /** @param {() => void} onStarted called when the visitor's new board is shown */
  constructor(form, session, onStarted) {
    this.fields = form.elements;
    this.status = form.querySelector('[data-part="scrambled"]');
    this.session = session;
    form.addEventListener("input", () => this.#showFields());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start().then((isStarted) => isStarted && onStarted());
    });
    session.addEventListener("started", () => this.#showGame());
    this.#showFields();
  }

  /** Show the current game's size in the form. */
  #showGame() {
    const { width, height } = this.session.game;
    if (Math.min(width, height) >= SIDES.min) {
      this.fields.width.value = width;
      this.fields.height.value = height;
    }
    this.status.textContent = "";
    this.#showFields();
  }

  /** Return the first field with an invalid number of cells, if any, and mark it. */
  #findInvalidSide() {
    const isInvalid = ({ value }) => !/^\d+$/.test(value) || Number(value) < SIDES.min || Number(value) > SIDES.max;
    const sides = [this.fields.width, this.fields.height];
    for (const side of sides) side.setAttribute("aria-invalid", String(isInvalid(side)));
    return sides.find(isInvalid);
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

  /** Scramble a board and start a game with it; returns false if the form is invalid or scrambling fails. */
  async start() {
    const invalidField = this.#findInvalidSide();
    if (invalidField) {
      this.status.textContent = gettext("Width and height must be from {min} to {max}, not {value}.", { value: invalidField.value, min: SIDES.min, max: SIDES.max });
      invalidField.focus();
      return false;
    }
    const [width, height] = [Number(this.fields.width.value), Number(this.fields.height.value)];
    this.#showFields();
    this.status.textContent = "";
    const kind = this.fields.difficulty.value;
    const goal = makeGoal(this.fields.goal.value, width, height);
    const requestedDistance = Math.max(1, Math.round(Number(this.fields.distance.value)) || 1);
    try {
      const board = await scramble(goal, width, kind, requestedDistance);
      this.session.begin(board.tiles, width, goal, { kind });
      const { distance, exact } = board;
      const isTooFar = kind === "exactly" && distance < requestedDistance;
      const template = isTooFar ? gettext("No board of this size needs {requested}; this one needs {moves}.") : exact ? gettext("Optimal length: {moves}.") : gettext("Optimal length: about {moves} (estimate).");
      const [moves, requested] = [distance, requestedDistance].map((count) => formatMoves(count));
      this.status.textContent = fill(template, { moves, requested });
      return true;
    } catch (error) {
      this.status.textContent = gettext("Could not scramble: {reason}", { reason: error.message });
      return false;
    }
  }
}
