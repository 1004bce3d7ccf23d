// The visible part of a drawing, and the gestures that change it: drag, pinch, wheel.

const CLOSEST = 3;
const FARTHEST = 0.0005;
const WHEEL_SPEED = 0.0016;
const LINE_PX = 16;
const STILL_SCROLLING_MS = 250;
const CLICK_PX = 5;

export class Viewport {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{onChange: (byDrag: boolean) => void, onClick: (x: number, y: number) => void}} listener
   */
  constructor(canvas, listener) {
    this.canvas = canvas;
    this.listener = listener;
    this.x = 0; // the place of the drawing in the middle of the canvas
    this.y = 0;
    this.scale = 1;
    this.stretchAt = () => 1; // how much taller than wide the drawing is shown, by the scale
    this.pointers = new Map();
    this.moved = 0;
    this.scrolled = 0;
    this.measure();
    addEventListener("scroll", () => (this.scrolled = performance.now()), { passive: true });
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.#up(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Take the canvas's size; to ask it in every frame would cost more than to draw. */
  measure() {
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
  }

  get scaleDown() {
    return this.scale * this.stretchAt(this.scale);
  }

  toScreen(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scaleDown + this.height / 2];
  }

  #toDrawing(x, y) {
    return [(x - this.width / 2) / this.scale + this.x, (y - this.height / 2) / this.scaleDown + this.y];
  }

  set({ x, y, scale }) {
    [this.x, this.y, this.scale] = [x, y, scale];
  }

  /** Zoom so that a point of the canvas stays where it is; says whether anything changed. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.max(FARTHEST, Math.min(CLOSEST, this.scale * factor));
    if (scale === this.scale) return false;
    const [atX, atY] = this.#toDrawing(x, y);
    this.scale = scale;
    this.x = atX - (x - this.width / 2) / scale;
    this.y = atY - (y - this.height / 2) / this.scaleDown;
    return true;
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scaleDown;
    this.listener.onChange(true);
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down(event) {
    if (event.button > 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 0) this.moved = 0;
    this.pointers.set(event.pointerId, this.#place(event));
  }

  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#place(event);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.pointers.set(event.pointerId, now);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.moved += Math.hypot(dx, dy);
    if (this.moved <= CLICK_PX) return;
    if (others.length === 0) {
      this.pan(dx, dy);
      return;
    }
    const [other] = others;
    const apart = (place) => Math.max(1, Math.hypot(place[0] - other[0], place[1] - other[1]));
    this.zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    this.pan(dx / 2, dy / 2);
  }

  #up(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    if (event.type === "pointerup" && this.moved <= CLICK_PX) this.listener.onClick(...this.#place(event));
  }

  /** The wheel zooms, unless the page is being scrolled past. */
  #wheel(event) {
    const scrolling = performance.now() - this.scrolled < STILL_SCROLLING_MS;
    if (scrolling && !event.ctrlKey) return;
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
    const pinched = event.ctrlKey ? 6 : 1; // a trackpad's pinch comes as small turns with Ctrl
    if (!this.zoom(Math.exp(-pixels * WHEEL_SPEED * pinched), ...this.#place(event))) return;
    event.preventDefault();
    this.listener.onChange(false);
  }
}
