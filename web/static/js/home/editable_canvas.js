// An editable board that is too large for separate tiles: frames mark the focused and the selected cell, and
// the focused cell is announced.

import { CanvasBoard } from "../board/canvas_board.js";

export class EditableCanvasBoard extends CanvasBoard {
  /** Takes the same parameters as `TileBoard`. */
  constructor(host, width, height, goal) {
    super(host, width, height, goal);
    this.field.tabIndex = 0;
    this.field.setAttribute("role", "application");
    this.field.setAttribute("aria-label", host.getAttribute("aria-label"));
    this.announcement = document.createElement("span");
    this.announcement.className = "off-screen";
    this.announcement.setAttribute("role", "status");
    this.field.append(this.announcement);
  }

  /** @param {number} focus @param {number | null} selected @param {string} description description of the focused cell */
  frame(focus, selected, description) {
    this.mark("focus", focus);
    this.mark("selected", selected);
    if (document.activeElement === this.field) this.announcement.textContent = description;
  }
}
