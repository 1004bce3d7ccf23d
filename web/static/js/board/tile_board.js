// A board as elements, one for each tile, with its number: for boards that can be read.

export const LARGEST_SIDE = 12;

/** Tell the style sheets how large a pixel of the screen is: cells are whole numbers of them. */
function measurePixel() {
  document.documentElement.style.setProperty("--pixel", `${1 / devicePixelRatio}px`);
}

measurePixel();
addEventListener("resize", measurePixel); // also when the page is enlarged

export class TileBoard {
  /**
   * @param {HTMLElement} host an element with the class `board`; its content is replaced
   * @param {number} width
   * @param {number} height
   * @param {ArrayLike<number>} goal tiles row by row
   * @param {string} element `div`, or `button` for a board that can be edited
   */
  constructor(host, width, height, goal, element = "div") {
    this.host = host;
    this.width = width;
    this.height = height;
    this.homes = new Map(Array.from(goal, (tile, cell) => [tile, cell]));
    this.drawn = new Map();
    this.home = new Set();
    this.tiles = new Map();
    host.style.setProperty("--columns", width);
    host.style.setProperty("--rows", height);
    host.style.setProperty("--glyph", width * height > 100 ? 0.34 : 0.4);
    this.field = document.createElement("div");
    this.field.className = "board-field";
    for (const tile of [...this.homes.keys()].sort((a, b) => a - b)) {
      if (tile === 0 && element === "div") continue;
      this.field.append(this.#makeTile(tile, element));
    }
    host.replaceChildren(this.field);
  }

  #makeTile(number, element) {
    const tile = document.createElement(element);
    tile.className = number === 0 ? "tile tile-blank" : "tile";
    if (element === "button") tile.type = "button";
    tile.dataset.tile = number;
    const face = document.createElement("span");
    face.className = "tile-face";
    const text = document.createElement("span");
    text.className = "tile-text";
    text.textContent = number || "";
    face.append(text);
    tile.append(face);
    this.tiles.set(number, tile);
    return tile;
  }

  /**
   * Show these cells; only tiles that have moved are touched. `jump` shows them without sliding.
   * The slide that brings the last tile home is marked as a moment.
   */
  draw(cells, jump = false) {
    const first = this.drawn.size === 0;
    this.host.classList.toggle("board-jump", jump);
    for (let cell = 0; cell < cells.length; cell += 1) {
      const number = cells[cell];
      const tile = this.tiles.get(number);
      if (!tile || this.drawn.get(number) === cell) continue;
      this.drawn.set(number, cell);
      tile.style.setProperty("--column", cell % this.width);
      tile.style.setProperty("--row", Math.floor(cell / this.width));
      const home = number !== 0 && this.homes.get(number) === cell;
      tile.classList.toggle("tile-home", home);
      if (home) this.home.add(number);
      else this.home.delete(number);
    }
    const solved = this.home.size === this.homes.size - 1;
    this.host.classList.toggle("board-solved", solved && !jump && !first);
  }
}
