// What was read from a picture, over the picture: a field on each cell, doubtful ones marked. Nothing
// leaves here before the visitor says so, and only as a board that has every tile once.

import { fill } from "../board/make_board.js";

const MARGIN = 0.3;
const LEAST_CELL = 54;

export class Review {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {object} words
   * @param {(tiles: number[], width: number) => void} useBoard
   */
  constructor(dialog, words, useBoard) {
    this.dialog = dialog;
    this.words = words;
    this.picture = dialog.querySelector('[data-part="picture"]');
    this.canvas = dialog.querySelector("canvas");
    this.fault = dialog.querySelector('[data-part="fault"]');
    this.use = dialog.querySelector('[data-part="use"]');
    this.picture.addEventListener("input", () => this.#check());
    this.picture.addEventListener("keydown", (event) => this.#key(event));
    this.use.addEventListener("click", () => {
      if (!this.#check()) {
        this.picture.querySelector('[aria-invalid="true"]').focus();
        return;
      }
      dialog.close();
      useBoard(this.#tiles(), this.reading.width);
    });
    // Ctrl+Enter solves what is in the form; what is looked at here is not there yet.
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
    // Of the picture nothing stays behind.
    dialog.addEventListener("close", () => {
      this.canvas.width = this.canvas.height = 0;
      this.#removeFields();
    });
  }

  /**
   * @param {HTMLCanvasElement} picture as it was sent
   * @param {object} reading the server's answer
   */
  show(picture, reading) {
    this.reading = reading;
    const part = this.#cut(picture);
    this.#removeFields();
    this.fields = reading.cells.map((cell, place) => this.#field(cell, place, part));
    this.#check();
    this.dialog.showModal();
    const doubtful = this.picture.querySelector(".review-doubtful input");
    (doubtful ?? this.use).focus();
  }

  /** Show the part of the picture that has the board, with a little round it. */
  #cut(picture) {
    const corners = this.reading.cells.flatMap((cell) => cell.corners);
    const { width, height } = this.reading;
    const [left, right] = edges(corners.map(([x]) => x), MARGIN / width, picture.width);
    const [top, bottom] = edges(corners.map(([, y]) => y), MARGIN / height, picture.height);
    const part = { left, top, width: right - left, height: bottom - top };
    this.canvas.width = part.width;
    this.canvas.height = part.height;
    this.canvas.getContext("2d").drawImage(picture, left, top, part.width, part.height, 0, 0, part.width, part.height);
    // Fingers find each cell; wide boards scroll.
    const across = width * (1 + 2 * MARGIN / width);
    this.picture.style.minWidth = `${Math.ceil(LEAST_CELL * across)}px`;
    this.picture.style.maxWidth = `${Math.round((part.width / part.height) * 0.62 * window.innerHeight)}px`;
    return part;
  }

  /** A field on a cell; all of the cell is its label, so that a click anywhere on it will do. */
  #field(cell, place, part) {
    const [left, right] = edges(cell.corners.map(([x]) => x));
    const [top, bottom] = edges(cell.corners.map(([, y]) => y));
    const label = document.createElement("label");
    label.className = cell.doubtful ? "review-cell review-doubtful" : "review-cell";
    label.style.left = `${(100 * (left - part.left)) / part.width}%`;
    label.style.top = `${(100 * (top - part.top)) / part.height}%`;
    label.style.width = `${(100 * (right - left)) / part.width}%`;
    label.style.height = `${(100 * (bottom - top)) / part.height}%`;
    const input = document.createElement("input");
    input.type = "text";
    input.inputMode = "numeric";
    input.autocomplete = "off";
    input.maxLength = 3;
    input.value = cell.tile;
    const at = { row: Math.floor(place / this.reading.width) + 1, column: (place % this.reading.width) + 1 };
    input.setAttribute("aria-label", fill(cell.doubtful ? this.words.review_doubtful : this.words.review_cell, at));
    input.addEventListener("focus", () => input.select());
    label.append(input);
    this.picture.append(label);
    return input;
  }

  #removeFields() {
    for (const label of this.picture.querySelectorAll("label")) label.remove();
  }

  #tiles() {
    return this.fields.map((field) => (/^\d+$/.test(field.value.trim()) ? Number(field.value) : NaN));
  }

  /** Say what keeps the fields from being a board; true if nothing does. */
  #check() {
    const tiles = this.#tiles();
    const count = tiles.length;
    const wrong = tiles.map((tile) => !(tile < count) || tiles.filter((other) => other === tile).length > 1);
    this.fields.forEach((field, place) => field.setAttribute("aria-invalid", String(wrong[place])));
    const missing = Array.from({ length: count }, (_, tile) => tile).filter((tile) => !tiles.includes(tile));
    const doubts = this.reading.doubtful.length;
    const right = missing.length === 0;
    let said = doubts ? fill(this.words.review_doubts, { count: doubts }) : this.words.review_sure;
    if (!right) said = fill(this.words.review_missing, { most: count - 1, missing: missing.slice(0, 12).join(" ") });
    // Said again and again, it would be read aloud again and again.
    if (this.fault.textContent !== said) this.fault.textContent = said;
    this.fault.classList.toggle("review-wrong", !right);
    return right;
  }

  /** Up and down go to the cell above and below; Enter takes the board. */
  #key(event) {
    const place = this.fields.indexOf(event.target);
    const step = { ArrowUp: -this.reading.width, ArrowDown: this.reading.width }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.fields[place + step]?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.use.click();
    }
  }
}

/** The least and the largest of numbers, apart by a share of their distance more, and within a size. */
function edges(numbers, share = 0, size = Infinity) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const more = share * (most - least);
  if (size === Infinity) return [least, most];
  return [Math.max(0, Math.floor(least - more)), Math.min(size, Math.ceil(most + more))];
}
