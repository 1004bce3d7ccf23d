// Moves tiles with a mouse, pen, finger or keys.

// Mouse, pen and touch: a click moves a row of tiles, a drag moves it with the pointer, and a swipe that
// starts on a tile that cannot move moves the tile next to the blank.
//
// Pointer events only record the position; tiles are moved once per frame.

const CLICK_TOLERANCE = 6; // pixels; a shorter movement is still a click
const MIN_DRAG = 0.35; // of a cell, for the slide to complete
const MIN_FLICK_SPEED = 0.4; // pixels per millisecond
const MAX_FLICK_PAUSE_MS = 80; // after a longer pause, the gesture is not a flick

export class Gestures {
  constructor(view, session) {
    this.view = view;
    this.session = session;
    this.drag = null;
    const { host } = view;
    host.addEventListener("pointerdown", (event) => this.#start(event));
    host.addEventListener("pointermove", (event) => this.#follow(event));
    host.addEventListener("pointerup", (event) => this.#end(event));
    host.addEventListener("pointercancel", (event) => this.#cancel(event));
    for (const kind of ["started", "moved"]) session.addEventListener(kind, () => this.#reset());
  }

  #start(event) {
    if (this.drag || event.button !== 0 || this.session.ended) return;
    const box = this.view.measure();
    const cell = this.view.cellAt(box, event.clientX, event.clientY);
    if (cell === null) return;
    const slide = this.session.game.findSlide(cell);
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, side: box.side, slide, startedOnTile: slide !== null, isDragging: false, distance: 0, last: 0, speed: 0, time: event.timeStamp };
    this.view.host.setPointerCapture(event.pointerId);
  }

  #follow(event) {
    const { drag } = this;
    if (event.pointerId !== drag?.id) return;
    const across = event.clientX - drag.x;
    const down = event.clientY - drag.y;
    if (!drag.isDragging && Math.hypot(across, down) <= CLICK_TOLERANCE) return;
    if (!drag.isDragging) this.#startDrag(drag, across, down);
    if (!drag.slide) return;
    const distance = [-down, down, -across, across][drag.slide.move];
    const elapsed = Math.max(1, event.timeStamp - drag.time);
    drag.speed = (distance - drag.last) / elapsed;
    drag.last = distance;
    drag.time = event.timeStamp;
    drag.distance = Math.max(0, Math.min(drag.side, distance));
    this.#paint();
  }

  /** Choose the tiles to drag once the pointer has moved far enough. */
  #startDrag(drag, across, down) {
    drag.isDragging = true;
    if (!drag.startedOnTile) {
      const move = Math.abs(across) > Math.abs(down) ? (across < 0 ? 2 : 3) : down < 0 ? 0 : 1;
      drag.slide = this.session.game.countMovable(move) > 0 ? { move, count: 1 } : null;
    }
    if (drag.slide) this.view.startDrag(this.session.game.listTiles(drag.slide));
  }

  #paint() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      if (this.drag?.slide) this.view.drag(this.drag.slide.move, this.drag.distance);
    });
  }

  #end(event) {
    const { drag } = this;
    if (event.pointerId !== drag?.id) return;
    this.#reset();
    if (!drag.slide) return;
    const hasPaused = event.timeStamp - drag.time > MAX_FLICK_PAUSE_MS;
    const isFarEnough = drag.distance > drag.side * MIN_DRAG || (!hasPaused && drag.speed > MIN_FLICK_SPEED && drag.distance > 0);
    if (drag.isDragging ? isFarEnough : drag.startedOnTile) this.session.slide(drag.slide.move, drag.slide.count);
  }

  #cancel(event) {
    if (event.pointerId === this.drag?.id) this.#reset();
  }

  #reset() {
    this.drag = null;
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.view.endDrag();
  }
}

// The keyboard: arrows and WASD move a tile; with Shift, all tiles in that direction.
//
// Letters work only while the board has the focus, so that they do not interfere with speech input or
// typing elsewhere; arrows also work while nothing has the focus.

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const LETTERS = ["w", "s", "a", "d"];

export class Keys {
  /** @param {HTMLElement} host the board */
  constructor(host, session) {
    this.host = host;
    this.session = session;
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  #press(event) {
    const isOnBoard = event.target === this.host;
    if (event.altKey || (!isOnBoard && event.target !== document.body)) return;
    const isHandled = event.ctrlKey || event.metaKey ? this.#command(event) : this.#move(event, isOnBoard);
    if (isHandled) event.preventDefault();
  }

  #move(event, isOnBoard) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const arrow = ARROWS.indexOf(key);
    const move = arrow >= 0 || !isOnBoard ? arrow : LETTERS.indexOf(key);
    if (move < 0) return false;
    this.session.slide(move, event.shiftKey ? this.session.game.countMovable(move) : 1);
    return true;
  }

  #command(event) {
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.session.undo();
    else if (key === "y" || key === "z") this.session.redo();
    else return false;
    return true;
  }
}
