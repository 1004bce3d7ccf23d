// Reads a board from a picture: it is scaled down here, recognised by the server, and reviewed by the
// visitor before it fills the field.

import { fill } from "../board/board_rendering.js";
import { PictureReview } from "./picture_review.js";

const MAX_SIDE = 2_000;
const MAX_PNG_PIXELS = 1_000_000;

export class PictureReader {
  /**
   * @param {HTMLElement} status shows that a picture is being read; its data attribute gives the URL
   * @param {object} texts
   * @param {(tiles: number[], width: number) => void} useBoard called with the reviewed board
   * @param {(message: string) => void} showError
   */
  constructor(status, texts, useBoard, showError) {
    this.status = status;
    this.texts = texts;
    this.showError = showError;
    this.review = new PictureReview(document.getElementById("review"), texts, useBoard);
  }

  /** Read a picture file and show what was read. */
  async read(file) {
    this.status.textContent = this.texts.picture_reading;
    try {
      const canvas = await this.#draw(file);
      this.review.show(canvas, await this.#requestReading(canvas));
    } catch (error) {
      this.showError(fill(this.texts.no_file, { name: file.name, reason: error.message }));
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
      throw new Error(this.texts.no_picture);
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
