// The visitor's own picture on the tiles. It never leaves the browser: the file becomes a bitmap without
// a URL, so that the content security policy needs no exception.

import { gettext } from "../../texts.js";
import { make } from "../../elements.js";

const MAX_SIDE_PX = 1600; // the longer side of the stored picture; boards are smaller on every screen

class Picture {
  constructor(view) {
    this.view = view;
    this.bitmap = null;
  }

  /** Load a file; throws if the browser cannot decode it. */
  async load(file) {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(image.width, image.height));
    const size = { resizeWidth: Math.max(1, Math.round(image.width * scale)), resizeHeight: Math.max(1, Math.round(image.height * scale)) };
    this.bitmap = await createImageBitmap(image, { ...size, resizeQuality: "high" });
    image.close();
  }

  remove() {
    this.bitmap?.close();
    this.bitmap = null;
  }

  /** Draw each tile's part of the picture: the part at the tile's goal cell. */
  show(game) {
    this.view.host.classList.toggle("board-picture", this.bitmap !== null);
    for (const picture of this.view.host.querySelectorAll(".tile-picture")) picture.remove();
    if (!this.bitmap) return;
    const side = Math.ceil(this.view.measure().side * devicePixelRatio);
    const { left, top, cell } = this.#crop(game);
    game.goal.forEach((number, home) => {
      if (number === 0) return;
      const picture = make("canvas", { className: "tile-picture", width: side, height: side });
      const [x, y] = [left + (home % game.width) * cell, top + Math.floor(home / game.width) * cell];
      picture.getContext("2d").drawImage(this.bitmap, x, y, cell, cell, 0, 0, side, side);
      this.view.tiles.get(number).querySelector(".tile-face").prepend(picture);
    });
  }

  /** Return the central part of the picture with the board's aspect ratio. */
  #crop({ width, height }) {
    const cell = Math.min(this.bitmap.width / width, this.bitmap.height / height);
    return { left: (this.bitmap.width - cell * width) / 2, top: (this.bitmap.height - cell * height) / 2, cell };
  }
}

// The field for choosing or removing a picture. The picture is cached by the browser, so that it survives a
// reload.

const STORE = "tilework-play-picture";
const NAME = "/play/picture"; // a key in the cache, not a URL of the server

export class PictureField {
  constructor(root, session, view) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = session;
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
      this.part("picture-text").textContent = gettext("{name} cannot be shown: use a PNG, JPEG, WebP or GIF picture.", { name: file.name });
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
