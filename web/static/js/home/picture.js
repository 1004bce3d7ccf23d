// A board out of a picture: made small here, read by the server, looked at by the visitor, and only
// then put into the field.

import { fill } from "../board/make_board.js";
import { Review } from "./review.js";

const LONGEST_SIDE = 2_000;
const SHARP_PIXELS = 1_000_000;

export class Picture {
  /**
   * @param {HTMLElement} status says that a picture is being read; has the address of the reader
   * @param {object} words
   * @param {(tiles: number[], width: number) => void} useBoard gets what the visitor has looked at
   * @param {(message: string) => void} showProblem
   */
  constructor(status, words, useBoard, showProblem) {
    this.status = status;
    this.words = words;
    this.showProblem = showProblem;
    this.review = new Review(document.getElementById("review"), words, useBoard);
  }

  /** Read a picture file and show what was read. */
  async read(file) {
    this.status.textContent = this.words.picture_reading;
    try {
      const canvas = await this.#drawn(file);
      this.review.show(canvas, await this.#readByServer(canvas));
    } catch (error) {
      this.showProblem(fill(this.words.no_file, { name: file.name, reason: error.message }));
    } finally {
      this.status.textContent = "";
    }
  }

  /** The picture as it is seen, no larger than it is read: where and when it was taken stays here. */
  async #drawn(file) {
    let picture;
    try {
      picture = await createImageBitmap(file);
    } catch {
      throw new Error(this.words.no_picture);
    }
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
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

  async #readByServer(canvas) {
    // Screenshots keep every pixel; photos would be too large.
    const type = canvas.width * canvas.height <= SHARP_PIXELS ? "image/png" : "image/jpeg";
    const body = await new Promise((resolve) => canvas.toBlob(resolve, type, 0.92));
    const address = `${this.status.dataset.address}?lang=${document.documentElement.lang}`;
    const answer = await fetch(address, { method: "POST", headers: { "Content-Type": type }, body });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.detail);
    return said;
  }
}
