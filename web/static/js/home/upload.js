// Boards from uploaded files and pictures.

import { fill, gettext } from "../texts.js";
import { make } from "../elements.js";

// Reads files of boards: the server decodes text in any encoding, and NumPy files.

const MAX_SIZE_MB = 8;

/**
 * @returns {Promise<string>} the text of the file
 * @throws {Error} with a message for the visitor
 */
export async function readBoardFile(file, url) {
  const { name } = file;
  if (file.size > MAX_SIZE_MB * 2 ** 20) throw new Error(gettext("{name} is larger than {limit} MB.", { name, limit: MAX_SIZE_MB }));
  const body = new FormData();
  body.append("file", file);
  try {
    const response = await fetch(url, { method: "POST", body });
    const result = await response.json();
    if (!response.ok) throw new Error(result.message);
    return result.text;
  } catch (error) {
    throw new Error(gettext("{name} cannot be read: {reason}", { name, reason: error.message }));
  }
}

// The review of a board read from a picture: a field on each cell, with uncertain ones marked. The board is used
// only when it contains every tile exactly once and the visitor has confirmed it.

const MARGIN = 0.3;
const MIN_CELL_PX = 54;

class PictureReview {
  /** @param {(tiles: number[], width: number) => void} useBoard */
  constructor(dialog, useBoard) {
    this.dialog = dialog;
    this.picture = dialog.querySelector('[data-part="picture"]');
    this.canvas = dialog.querySelector("canvas");
    this.message = dialog.querySelector('[data-part="review-message"]');
    this.useButton = dialog.querySelector('[data-part="use"]');
    this.picture.addEventListener("input", () => this.#check());
    this.picture.addEventListener("keydown", (event) => this.#handleKey(event));
    this.useButton.addEventListener("click", () => {
      if (!this.#check()) {
        this.picture.querySelector('[aria-invalid="true"]').focus();
        return;
      }
      dialog.close();
      useBoard(this.#parseTiles(), this.reading.width);
    });
    // Ctrl+Enter must not submit the form, which does not contain this board yet.
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
    // Discard the picture.
    dialog.addEventListener("close", () => {
      this.canvas.width = this.canvas.height = 0;
      this.#removeFields();
    });
  }

  /**
   * @param {HTMLCanvasElement} picture the picture sent to the server
   * @param {object} reading the server's response
   */
  show(picture, reading) {
    this.reading = reading;
    const part = this.#showBoardPart(picture);
    this.#removeFields();
    this.fields = reading.cells.map((cell, index) => this.#makeField(cell, index, part));
    this.#check();
    this.dialog.showModal();
    const uncertain = this.picture.querySelector(".review-uncertain input");
    (uncertain ?? this.useButton).focus();
  }

  /** Show the part of the picture with the board and a margin. */
  #showBoardPart(picture) {
    const corners = this.reading.cells.flatMap((cell) => cell.corners);
    const { width, height } = this.reading;
    const [left, right] = findRange(corners.map(([x]) => x), MARGIN / width, picture.width);
    const [top, bottom] = findRange(corners.map(([, y]) => y), MARGIN / height, picture.height);
    const part = { left, top, width: right - left, height: bottom - top };
    this.canvas.width = part.width;
    this.canvas.height = part.height;
    this.canvas.getContext("2d").drawImage(picture, left, top, part.width, part.height, 0, 0, part.width, part.height);
    // Cells are large enough to touch; wide boards scroll.
    const columns = width * (1 + 2 * MARGIN / width);
    this.picture.style.minWidth = `${Math.ceil(MIN_CELL_PX * columns)}px`;
    this.picture.style.maxWidth = `${Math.round((part.width / part.height) * 0.62 * window.innerHeight)}px`;
    return part;
  }

  /** Create the field of a cell; its label covers the cell, so that the visitor can click anywhere on it. */
  #makeField(cell, index, part) {
    const [left, right] = findRange(cell.corners.map(([x]) => x));
    const [top, bottom] = findRange(cell.corners.map(([, y]) => y));
    const label = make("label", { className: cell.doubtful ? "review-cell review-uncertain" : "review-cell" });
    Object.assign(label.style, {
      left: `${(100 * (left - part.left)) / part.width}%`,
      top: `${(100 * (top - part.top)) / part.height}%`,
      width: `${(100 * (right - left)) / part.width}%`,
      height: `${(100 * (bottom - top)) / part.height}%`,
    });
    const input = make("input", { type: "text", inputMode: "numeric", autocomplete: "off", maxLength: 3, value: cell.tile });
    const position = { row: Math.floor(index / this.reading.width) + 1, column: (index % this.reading.width) + 1 };
    input.setAttribute("aria-label", fill(cell.doubtful ? gettext("Row {row}, column {column}, uncertain") : gettext("Row {row}, column {column}"), position));
    input.addEventListener("focus", () => input.select());
    label.append(input);
    this.picture.append(label);
    return input;
  }

  #removeFields() {
    for (const label of this.picture.querySelectorAll("label")) label.remove();
  }

  #parseTiles() {
    return this.fields.map((field) => (/^\d+$/.test(field.value.trim()) ? Number(field.value) : NaN));
  }

  /** Check the fields and show what is wrong; return whether they form a board. */
  #check() {
    const tiles = this.#parseTiles();
    const count = tiles.length;
    const invalid = tiles.map((tile) => !(tile < count) || tiles.filter((other) => other === tile).length > 1);
    this.fields.forEach((field, index) => field.setAttribute("aria-invalid", String(invalid[index])));
    const missing = Array.from({ length: count }, (_, tile) => tile).filter((tile) => !tiles.includes(tile));
    const uncertainCount = this.reading.doubtful.length;
    const isValid = missing.length === 0;
    let text = uncertainCount ? gettext("Uncertain tiles, marked in the picture: {count}.", { count: uncertainCount }) : gettext("All tiles were read clearly; please check them anyway.");
    if (!isValid) text = gettext("Each number from 0 to {max} must appear once; missing: {missing}.", { max: count - 1, missing: missing.slice(0, 12).join(" ") });
    // Setting the same text again would make a screen reader announce it again.
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.classList.toggle("review-invalid", !isValid);
    return isValid;
  }

  /** Up and down move to the cell above and below; Enter confirms the board. */
  #handleKey(event) {
    const index = this.fields.indexOf(event.target);
    const step = { ArrowUp: -this.reading.width, ArrowDown: this.reading.width }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.fields[index + step]?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.useButton.click();
    }
  }
}

/** Return the range of numbers, widened by a fraction of its length and clamped to a size. */
function findRange(numbers, fraction = 0, size = Infinity) {
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const margin = fraction * (max - min);
  if (size === Infinity) return [min, max];
  return [Math.max(0, Math.floor(min - margin)), Math.min(size, Math.ceil(max + margin))];
}

// Reads a board from a picture: it is scaled down here, recognised by the server, and reviewed by the
// visitor before it fills the field.

const MAX_SIDE = 2_000;
const MAX_PNG_PIXELS = 1_000_000;

export class PictureReader {
  /**
   * @param {HTMLElement} status shows that a picture is being read; its data attribute gives the URL
   * @param {(tiles: number[], width: number) => void} useBoard called with the reviewed board
   * @param {(message: string) => void} showError
   */
  constructor(status, useBoard, showError) {
    this.status = status;
    this.showError = showError;
    this.review = new PictureReview(document.getElementById("review"), useBoard);
  }

  /** Read a picture file and show what was read. */
  async read(file) {
    this.status.textContent = gettext("Reading the picture…");
    try {
      const canvas = await this.#draw(file);
      this.review.show(canvas, await this.#requestReading(canvas));
    } catch (error) {
      this.showError(gettext("{name} cannot be read: {reason}", { name: file.name, reason: error.message }));
    } finally {
      this.status.textContent = "";
    }
  }

  /** Draw the picture, scaled down, which removes metadata such as where it was taken. */
  async #draw(file) {
    let picture;
    try {
      picture = await createImageBitmap(file);
    } catch {
      throw new Error(gettext("this browser cannot show the picture."));
    }
    const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(scale * picture.width));
    canvas.height = Math.max(1, Math.round(scale * picture.height));
    const context = canvas.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return canvas;
  }

  async #requestReading(canvas) {
    // PNG keeps screenshots sharp, but photos would be too large.
    const type = canvas.width * canvas.height <= MAX_PNG_PIXELS ? "image/png" : "image/jpeg";
    const body = await new Promise((resolve) => canvas.toBlob(resolve, type, 0.92));
    const url = `${this.status.dataset.url}?lang=${document.documentElement.lang}`;
    const response = await fetch(url, { method: "POST", headers: { "Content-Type": type }, body });
    const reading = await response.json();
    if (!response.ok) throw new Error(reading.detail);
    return reading;
  }
}
