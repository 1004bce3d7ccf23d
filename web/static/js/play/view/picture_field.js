// The field for choosing or removing a picture. The picture is cached by the browser, so that it survives a
// reload.

import { fill } from "../../board/board_rendering.js";
import { Picture } from "./picture.js";

const STORE = "tilework-play-picture";
const NAME = "/play/picture"; // a key in the cache, not a URL of the server

export class PictureField {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {import("./board_view.js").BoardView} view
   * @param {object} texts
   */
  constructor(root, session, view, texts) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.texts = texts;
    this.picture = new Picture(view);
    const input = this.part("picture");
    input.addEventListener("change", async () => {
      if (input.files[0]) await this.#load(input.files[0]);
      input.value = ""; // so that the same file can be chosen again after a change
    });
    this.part("no-picture").addEventListener("click", () => this.#remove());
    session.addEventListener("started", () => this.#show());
    this.#restore();
  }

  #show() {
    this.picture.show(this.session.game);
    this.part("no-picture").hidden = this.picture.bitmap === null;
  }

  async #load(file) {
    this.part("picture-text").textContent = "";
    try {
      await this.picture.load(file);
    } catch {
      this.part("picture-text").textContent = fill(this.texts.no_picture, { name: file.name });
      return;
    }
    this.#show();
    await this.#useStore((store) => store.put(NAME, new Response(file)));
  }

  async #remove() {
    this.picture.remove();
    this.#show();
    await this.#useStore((store) => store.delete(NAME));
  }

  async #restore() {
    const response = await this.#useStore((store) => store.match(NAME));
    if (!response) return;
    await this.picture.load(await response.blob()).catch(() => this.#remove());
    this.#show();
  }

  /** Access the cache; if there is none, the picture is lost when the page is closed. */
  async #useStore(action) {
    try {
      return await action(await caches.open(STORE));
    } catch {
      return undefined;
    }
  }
}
