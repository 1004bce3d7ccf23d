// A board with one element per tile, for boards whose numbers are readable.

export const MAX_SIDE = 12;

/** Set the CSS size of a device pixel, because cells are a whole number of device pixels. */
function setPixelSize() {
  document.documentElement.style.setProperty("--pixel", `${1 / devicePixelRatio}px`);
}

setPixelSize();
addEventListener("resize", setPixelSize); // also fires when the page is zoomed

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
    this.goalCells = new Map(Array.from(goal, (tile, cell) => [tile, cell]));
    this.drawnCells = new Map();
    this.tilesAtHome = new Set();
    this.tiles = new Map();
    host.style.setProperty("--columns", width);
    host.style.setProperty("--rows", height);
    host.style.setProperty("--glyph", width * height > 100 ? 0.34 : 0.4);
    this.field = document.createElement("div");
    this.field.className = "board-field";
    for (const tile of [...this.goalCells.keys()].sort((a, b) => a - b)) {
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
   * Show these cells; only tiles that have moved are updated. With `jump` they do not slide.
   * A slide that solves the board starts an animation.
   */
  draw(cells, jump = false) {
    const isFirst = this.drawnCells.size === 0;
    this.host.classList.toggle("board-jump", jump);
    for (let cell = 0; cell < cells.length; cell += 1) {
      const number = cells[cell];
      const tile = this.tiles.get(number);
      if (!tile || this.drawnCells.get(number) === cell) continue;
      this.drawnCells.set(number, cell);
      tile.style.setProperty("--column", cell % this.width);
      tile.style.setProperty("--row", Math.floor(cell / this.width));
      const isHome = number !== 0 && this.goalCells.get(number) === cell;
      tile.classList.toggle("tile-home", isHome);
      if (isHome) this.tilesAtHome.add(number);
      else this.tilesAtHome.delete(number);
    }
    const isSolved = this.tilesAtHome.size === this.goalCells.size - 1;
    this.host.classList.toggle("board-solved", isSolved && !jump && !isFirst);
  }
}
