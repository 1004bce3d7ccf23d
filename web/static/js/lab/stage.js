// Full screen: one method, or all of them, on the whole screen, with large type and a light or dark scheme for projectors.
//
// Browsers without full screen for elements, such as those of iPhones, show the same layout in the window.

import { chooseScheme, isDark } from "./colours.js";

export class Stage {
  /** @param {HTMLElement} root of the page */
  constructor(root) {
    this.root = root;
    this.methods = root.querySelector(".methods");
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    const on = (name, handler) => this.part(name).addEventListener("click", handler);
    on("project", () => this.enter(null));
    on("large", () => this.#setLarge(!this.isLarge));
    on("dark", () => this.#setDark(!isDark()));
    on("leave", () => this.leave());
    for (const button of root.querySelectorAll('[data-part="full"]')) {
      button.addEventListener("click", () => (this.isOpen ? this.leave() : this.enter(button.closest(".method"))));
    }
    document.addEventListener("fullscreenchange", () => document.fullscreenElement || this.#close());
    root.addEventListener("keydown", ({ key }) => key === "Escape" && this.leave());
  }

  get isOpen() {
    return "stage" in this.root.dataset;
  }

  get isLarge() {
    return "large" in document.documentElement.dataset;
  }

  /** @param {HTMLElement | null} method to show alone; null shows all, in large type */
  async enter(method) {
    this.opener = document.activeElement;
    this.root.dataset.stage = "";
    for (const element of this.methods.children) element.hidden = method !== null && element !== method;
    this.#countShown();
    for (const element of document.querySelectorAll("body > :not(main)")) element.inert = true;
    this.#setLarge(method === null);
    this.#setDark(isDark());
    this.part("play").focus();
    await this.root.requestFullscreen?.().catch(() => {}); // the layout fills the window anyway
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.#close();
  }

  #close() {
    if (!this.isOpen) return;
    delete this.root.dataset.stage;
    for (const element of this.methods.children) element.hidden = false;
    this.#countShown();
    for (const element of document.querySelectorAll("body > :not(main)")) element.inert = false;
    this.#setLarge(false);
    chooseScheme(null);
    this.opener.focus();
  }

  #countShown() {
    const count = [...this.methods.children].filter((element) => !element.hidden).length;
    this.methods.className = `methods methods-${count}`;
  }

  #setLarge(large) {
    document.documentElement.toggleAttribute("data-large", large);
    this.part("large").setAttribute("aria-pressed", String(large));
  }

  #setDark(dark) {
    chooseScheme(dark ? "dark" : "light");
    this.part("dark").setAttribute("aria-pressed", String(dark));
  }
}
