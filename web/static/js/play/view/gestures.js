// Mouse, pen and finger: a click moves a row of tiles, a drag has it follow the finger, and a swipe that
// begins on a tile which cannot move takes the tile beside the blank.
//
// The pointer's events only note where it is; tiles are moved once a frame.

const SLOP = 6; // pixels; less is a click with an unsteady hand
const FAR_ENOUGH = 0.35; // of a cell, for tiles to go on by themselves
const FLICK = 0.4; // pixels a millisecond
const FLICK_MS = 80; // a finger that rested longer has not flicked

export class Gestures {
  /**
   * @param {import("./board_view.js").BoardView} view
   * @param {import("../game/session.js").Session} session
   */
  constructor(view, session) {
    this.view = view;
    this.session = session;
    this.grip = null;
    const { host } = view;
    host.addEventListener("pointerdown", (event) => this.#take(event));
    host.addEventListener("pointermove", (event) => this.#follow(event));
    host.addEventListener("pointerup", (event) => this.#end(event));
    host.addEventListener("pointercancel", (event) => this.#cancel(event));
    for (const kind of ["begun", "moved"]) session.addEventListener(kind, () => this.#drop());
  }

  #take(event) {
    if (this.grip || event.button !== 0 || this.session.ended) return;
    const place = this.view.measure();
    const cell = this.view.cellAt(place, event.clientX, event.clientY);
    if (cell === null) return;
    const slide = this.session.game.slideTo(cell);
    this.grip = { id: event.pointerId, x: event.clientX, y: event.clientY, side: place.side, slide, onTile: slide !== null, held: false, way: 0, last: 0, speed: 0, time: event.timeStamp };
    this.view.host.setPointerCapture(event.pointerId);
  }

  #follow(event) {
    const { grip } = this;
    if (event.pointerId !== grip?.id) return;
    const across = event.clientX - grip.x;
    const down = event.clientY - grip.y;
    if (!grip.held && Math.hypot(across, down) <= SLOP) return;
    if (!grip.held) this.#hold(grip, across, down);
    if (!grip.slide) return;
    const way = [-down, down, -across, across][grip.slide.move];
    const passed = Math.max(1, event.timeStamp - grip.time);
    grip.speed = (way - grip.last) / passed;
    grip.last = way;
    grip.time = event.timeStamp;
    grip.way = Math.max(0, Math.min(grip.side, way));
    this.#paint();
  }

  /** Decide, once the pointer has gone far enough, which tiles go with it. */
  #hold(grip, across, down) {
    grip.held = true;
    if (!grip.onTile) {
      const move = Math.abs(across) > Math.abs(down) ? (across < 0 ? 2 : 3) : down < 0 ? 0 : 1;
      grip.slide = this.session.game.room(move) > 0 ? { move, count: 1 } : null;
    }
    if (grip.slide) this.view.hold(this.session.game.tilesOf(grip.slide));
  }

  #paint() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      if (this.grip?.slide) this.view.pull(this.grip.slide.move, this.grip.way);
    });
  }

  #end(event) {
    const { grip } = this;
    if (event.pointerId !== grip?.id) return;
    this.#drop();
    if (!grip.slide) return;
    const rested = event.timeStamp - grip.time > FLICK_MS;
    const far = grip.way > grip.side * FAR_ENOUGH || (!rested && grip.speed > FLICK && grip.way > 0);
    if (grip.held ? far : grip.onTile) this.session.slide(grip.slide.move, grip.slide.count);
  }

  #cancel(event) {
    if (event.pointerId === this.grip?.id) this.#drop();
  }

  #drop() {
    this.grip = null;
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.view.release();
  }
}
