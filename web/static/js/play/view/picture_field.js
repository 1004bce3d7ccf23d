// Choosing a picture and taking it off again. It is kept over a reload where the browser lets pages keep
// files, in a store of this page alone.

import { fill } from "../../board/make_board.js";
import { Picture } from "./picture.js";

const STORE = "tilework-play-picture";
const NAME = "/play/picture"; // a name in the store, no address of the server

export class PictureField {
  /**
   * @param {HTMLElement} root
   * @param {import("../game/session.js").Session} session
   * @param {import("./board_view.js").BoardView} view
   * @param {object} words
   */
  constructor(root, session, view, words) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
    this.words = words;
    this.picture = new Picture(view);
    const input = this.part("picture");
    input.addEventListener("change", async () => {
      if (input.files[0]) await this.#take(input.files[0]);
      input.value = ""; // the same file can be chosen again after it was changed
    });
    this.part("no-picture").addEventListener("click", () => this.#remove());
    session.addEventListener("begun", () => this.#show());
    this.#restore();
  }

  #show() {
    this.picture.show(this.session.game);
    this.part("no-picture").hidden = this.picture.bitmap === null;
  }

  async #take(file) {
    this.part("picture-text").textContent = "";
    try {
      await this.picture.take(file);
    } catch {
      this.part("picture-text").textContent = fill(this.words.no_picture, { name: file.name });
      return;
    }
    this.#show();
    await this.#inStore((store) => store.put(NAME, new Response(file)));
  }

  async #remove() {
    this.picture.remove();
    this.#show();
    await this.#inStore((store) => store.delete(NAME));
  }

  async #restore() {
    const kept = await this.#inStore((store) => store.match(NAME));
    if (!kept) return;
    await this.picture.take(await kept.blob()).catch(() => this.#remove());
    this.#show();
  }

  /** A browser that keeps no files forgets the picture with the page. */
  async #inStore(act) {
    try {
      return await act(await caches.open(STORE));
    } catch {
      return undefined;
    }
  }
}
