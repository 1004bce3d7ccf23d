// The visible part of a drawing, changed by drag, pinch and wheel.

const MAX_SCALE = 3;
const MIN_SCALE = 0.0005;
const WHEEL_SPEED = 0.0016;
const LINE_PX = 16;
const SCROLL_PAUSE_MS = 250;
const CLICK_PX = 5;
const NORMAL_TYPE_PX = 16;

export class Viewport {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{onChange: (byDrag: boolean) => void, onClick: (x: number, y: number) => void}} listener
   */
  constructor(canvas, listener) {
    this.canvas = canvas;
    this.listener = listener;
    this.x = 0; // the point of the drawing at the centre of the canvas
    this.y = 0;
    this.scale = 1;
    this.stretchAt = () => 1; // vertical stretch of the drawing at a scale
    this.pointers = new Map();
    this.moved = 0;
    this.scrolled = 0;
    this.measure();
    addEventListener("scroll", () => (this.scrolled = performance.now()), { passive: true });
    canvas.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    canvas.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.#onPointerUp(event));
    canvas.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
  }

  /** Cache the canvas's size, which is too slow to query in every frame. Larger type magnifies the drawing. */
  measure() {
    this.magnification = parseFloat(getComputedStyle(document.documentElement).fontSize) / NORMAL_TYPE_PX;
    this.width = this.canvas.clientWidth / this.magnification;
    this.height = this.canvas.clientHeight / this.magnification;
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

  /** Zoom around a point of the canvas; returns whether the scale changed. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, this.scale * factor));
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

  #toCanvas(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / this.magnification, (event.clientY - box.top) / this.magnification];
  }

  #onPointerDown(event) {
    if (event.button > 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 0) this.moved = 0;
    this.pointers.set(event.pointerId, this.#toCanvas(event));
  }

  #onPointerMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#toCanvas(event);
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
    const distance = (place) => Math.max(1, Math.hypot(place[0] - other[0], place[1] - other[1]));
    this.zoom(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    this.pan(dx / 2, dy / 2);
  }

  #onPointerUp(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    if (event.type === "pointerup" && this.moved <= CLICK_PX) this.listener.onClick(...this.#toCanvas(event));
  }

  /** Zoom by the wheel, unless the page is being scrolled. */
  #onWheel(event) {
    const scrolling = performance.now() - this.scrolled < SCROLL_PAUSE_MS;
    if (scrolling && !event.ctrlKey) return;
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
    const pinched = event.ctrlKey ? 6 : 1; // a trackpad reports a pinch as small wheel events with Ctrl
    if (!this.zoom(Math.exp(-pixels * WHEEL_SPEED * pinched), ...this.#toCanvas(event))) return;
    event.preventDefault();
    this.listener.onChange(false);
  }
}
