// The visitor's settings, such as hidden numbers and sound. Stored in the browser; all off by default.

import { readStored, writeStored } from "../storage/browser_storage.js";

const NAME = "options";

export class Options {
  /**
   * @param {HTMLElement} root
   * @param {string[]} names of checkboxes, each a `data-part` of the page
   * @param {(options: object) => void} onChange called immediately and after each change
   */
  constructor(root, names, onChange) {
    const storedOptions = readStored(NAME) ?? {};
    this.boxes = names.map((name) => root.querySelector(`[data-part="${name}"]`));
    for (const box of this.boxes) {
      box.checked = storedOptions[box.dataset.part] === true;
      box.addEventListener("change", () => {
        writeStored(NAME, this.values);
        onChange(this.values);
      });
    }
    onChange(this.values);
  }

  get values() {
    return Object.fromEntries(this.boxes.map((box) => [box.dataset.part, box.checked]));
  }
}
