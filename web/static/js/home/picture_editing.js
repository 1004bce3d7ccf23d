// A board too large for a tile of its own each, to be edited: the cell that the keys are at and the
// one that is held have frames, and what is under the keys is told.

import { CanvasBoard } from "../board/canvas_board.js";

export class PictureEditing extends CanvasBoard {
  /** The same parameters as `TileBoard`, which see. */
  constructor(host, width, height, goal) {
    super(host, width, height, goal);
    this.field.tabIndex = 0;
    this.field.setAttribute("role", "application");
    this.field.setAttribute("aria-label", host.getAttribute("aria-label"));
    this.said = document.createElement("span");
    this.said.className = "off-screen";
    this.said.setAttribute("role", "status");
    this.field.append(this.said);
  }

  /** @param {number} focus @param {number | null} held @param {string} words of the cell at the keys */
  frame(focus, held, words) {
    this.mark("focus", focus);
    this.mark("held", held);
    if (document.activeElement === this.field) this.said.textContent = words;
  }
}
