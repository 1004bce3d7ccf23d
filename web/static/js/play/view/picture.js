// A picture of one's own on the tiles. It is read and drawn here and sent nowhere: the file becomes a
// bitmap without an address, so that the content policy needs no exception for it either.

const LARGEST_PIXELS = 1600; // a side of the picture that is kept; boards are smaller on every screen

export class Picture {
  /** @param {import("./board_view.js").BoardView} view */
  constructor(view) {
    this.view = view;
    this.bitmap = null;
  }

  /**
   * Take a file; throws where it is no picture that browsers read.
   * @param {Blob} file
   */
  async take(file) {
    const whole = await createImageBitmap(file);
    const scale = Math.min(1, LARGEST_PIXELS / Math.max(whole.width, whole.height));
    const size = { resizeWidth: Math.max(1, Math.round(whole.width * scale)), resizeHeight: Math.max(1, Math.round(whole.height * scale)) };
    this.bitmap = await createImageBitmap(whole, { ...size, resizeQuality: "high" });
    whole.close();
  }

  remove() {
    this.bitmap?.close();
    this.bitmap = null;
  }

  /** Draw each tile's part: what the picture shows at its home once the board is covered by it. */
  show(game) {
    this.view.host.classList.toggle("board-picture", this.bitmap !== null);
    for (const picture of this.view.host.querySelectorAll(".tile-picture")) picture.remove();
    if (!this.bitmap) return;
    const side = Math.ceil(this.view.measure().side * devicePixelRatio);
    const { left, top, cell } = this.#cover(game);
    game.goal.forEach((number, home) => {
      if (number === 0) return;
      const picture = document.createElement("canvas");
      picture.className = "tile-picture";
      picture.width = side;
      picture.height = side;
      const [x, y] = [left + (home % game.width) * cell, top + Math.floor(home / game.width) * cell];
      picture.getContext("2d").drawImage(this.bitmap, x, y, cell, cell, 0, 0, side, side);
      this.view.tiles.get(number).querySelector(".tile-face").prepend(picture);
    });
  }

  /** The middle of the picture in the board's proportions. */
  #cover({ width, height }) {
    const cell = Math.min(this.bitmap.width / width, this.bitmap.height / height);
    return { left: (this.bitmap.width - cell * width) / 2, top: (this.bitmap.height - cell * height) / 2, cell };
  }
}
