// What the visitor has chosen: numbers hidden, sound. Kept in the browser; all off at first.

import { readKept, writeKept } from "../kept/storage.js";

const NAME = "options";

export class Options {
  /**
   * @param {HTMLElement} root
   * @param {string[]} names of checkboxes, each a part of the page
   * @param {(options: object) => void} onChange called at once, and after each change
   */
  constructor(root, names, onChange) {
    const kept = readKept(NAME) ?? {};
    this.boxes = names.map((name) => root.querySelector(`[data-part="${name}"]`));
    for (const box of this.boxes) {
      box.checked = kept[box.dataset.part] === true;
      box.addEventListener("change", () => {
        writeKept(NAME, this.values);
        onChange(this.values);
      });
    }
    onChange(this.values);
  }

  get values() {
    return Object.fromEntries(this.boxes.map((box) => [box.dataset.part, box.checked]));
  }
}
