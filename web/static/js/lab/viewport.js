// The visible part of a drawing, changed by dragging, pinching and the wheel.

// The view of a growing tree: the whole tree while its nodes are readable, afterwards the expanded node.

export const NODE_SPACING = 72; // between neighbouring nodes, in pixels at scale 1
export const LEVEL_SPACING = 96; // between a node and its children
const MARGIN = 46;
const TOOLBAR_WIDTH = 44; // covered by the buttons on the right
const MIN_READABLE_SCALE = 0.5;
const MAX_FITTED_SCALE = 1.1;

function boundingBox(layout) {
  return { left: layout.left * NODE_SPACING, right: layout.right * NODE_SPACING, top: 0, bottom: layout.depth * LEVEL_SPACING };
}

/** Return how much to stretch a wide tree vertically at a small scale, so that its lines can be distinguished. */
export function computeStretch(scale, layout, height) {
  const maxStretch = (height - MARGIN) / (Math.max(1, layout.depth + 0.6) * LEVEL_SPACING * scale);
  return Math.max(1, Math.min(maxStretch, MIN_READABLE_SCALE / scale));
}

/** Return the view that shows the whole drawing. */
export function fitAll(layout, width, height) {
  const { left, right, top, bottom } = boundingBox(layout);
  const scale = Math.min(
    (width - MARGIN - TOOLBAR_WIDTH) / Math.max(right - left + NODE_SPACING * 0.6, 1),
    (height - MARGIN) / Math.max(bottom - top + LEVEL_SPACING * 0.6, 1),
    MAX_FITTED_SCALE,
  );
  return { x: (left + right) / 2 + TOOLBAR_WIDTH / 2 / scale, y: (top + bottom) / 2, scale };
}

/**
 * Return the view that follows the expanded node.
 * @param {number | null} chosenScale the scale that the visitor chose
 */
export function followNode(layout, node, width, height, chosenScale) {
  const whole = fitAll(layout, width, height);
  const scale = chosenScale ?? Math.max(MIN_READABLE_SCALE, whole.scale);
  if (scale <= whole.scale || !node) return { ...whole, scale };
  const { left, right, top, bottom } = boundingBox(layout);
  const clampAxis = (value, low, high, size) => {
    const half = (size - MARGIN) / 2 / scale;
    return high - low <= 2 * half ? (low + high) / 2 : Math.max(low + half, Math.min(high - half, value));
  };
  const offset = TOOLBAR_WIDTH / 2 / scale;
  return {
    x: clampAxis(layout.x[node.index] * NODE_SPACING, left - NODE_SPACING / 2, right + NODE_SPACING / 2, width - TOOLBAR_WIDTH) + offset,
    y: clampAxis(layout.y[node.index] * LEVEL_SPACING, top - LEVEL_SPACING / 3, bottom + LEVEL_SPACING / 2, height),
    scale,
  };
}

const MAX_SCALE = 3;
const MIN_SCALE = 0.0005;
const WHEEL_SPEED = 0.0016;
const LINE_PX = 16;
const SCROLL_PAUSE_MS = 250;
const MAX_CLICK_DISTANCE_PX = 5;
const NORMAL_FONT_PX = 16;

export class Viewport {
  /** @param {{onChange: (byDrag: boolean) => void, onClick: (x: number, y: number) => void}} listener */
  constructor(canvas, listener) {
    this.canvas = canvas;
    this.listener = listener;
    this.x = 0; // the point of the drawing at the centre of the canvas
    this.y = 0;
    this.scale = 1;
    this.computeStretch = () => 1; // vertical stretch of the drawing at a scale
    this.pointers = new Map();
    this.dragDistance = 0;
    this.scrolledAt = 0;
    this.measure();
    addEventListener("scroll", () => (this.scrolledAt = performance.now()), { passive: true });
    canvas.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    canvas.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.#onPointerUp(event));
    canvas.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
  }

  /** Cache the canvas's size, which is too slow to query in every frame. A larger font size magnifies the drawing. */
  measure() {
    this.magnification = parseFloat(getComputedStyle(document.documentElement).fontSize) / NORMAL_FONT_PX;
    this.width = this.canvas.clientWidth / this.magnification;
    this.height = this.canvas.clientHeight / this.magnification;
  }

  get verticalScale() {
    return this.scale * this.computeStretch(this.scale);
  }

  toScreen(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.verticalScale + this.height / 2];
  }

  #toDrawing(x, y) {
    return [(x - this.width / 2) / this.scale + this.x, (y - this.height / 2) / this.verticalScale + this.y];
  }

  set({ x, y, scale }) {
    [this.x, this.y, this.scale] = [x, y, scale];
  }

  /** Zoom around a point of the canvas; returns whether the scale changed. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, this.scale * factor));
    if (scale === this.scale) return false;
    const [fixedX, fixedY] = this.#toDrawing(x, y);
    this.scale = scale;
    this.x = fixedX - (x - this.width / 2) / scale;
    this.y = fixedY - (y - this.height / 2) / this.verticalScale;
    return true;
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.verticalScale;
    this.listener.onChange(true);
  }

  #toCanvas(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / this.magnification, (event.clientY - box.top) / this.magnification];
  }

  #onPointerDown(event) {
    if (event.button > 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 0) this.dragDistance = 0;
    this.pointers.set(event.pointerId, this.#toCanvas(event));
  }

  #onPointerMove(event) {
    const previous = this.pointers.get(event.pointerId);
    if (!previous) return;
    const current = this.#toCanvas(event);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    this.pointers.set(event.pointerId, current);
    const [dx, dy] = [current[0] - previous[0], current[1] - previous[1]];
    this.dragDistance += Math.hypot(dx, dy);
    if (this.dragDistance <= MAX_CLICK_DISTANCE_PX) return;
    if (others.length === 0) {
      this.pan(dx, dy);
      return;
    }
    const [other] = others;
    const distance = (point) => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
    this.zoom(distance(current) / distance(previous), (current[0] + other[0]) / 2, (current[1] + other[1]) / 2);
    this.pan(dx / 2, dy / 2);
  }

  #onPointerUp(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    if (event.type === "pointerup" && this.dragDistance <= MAX_CLICK_DISTANCE_PX) this.listener.onClick(...this.#toCanvas(event));
  }

  /** Zoom by the wheel, unless the page is being scrolled. */
  #onWheel(event) {
    const isScrolling = performance.now() - this.scrolledAt < SCROLL_PAUSE_MS;
    if (isScrolling && !event.ctrlKey) return;
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
    const pinchFactor = event.ctrlKey ? 6 : 1; // a trackpad reports a pinch as small wheel events with Ctrl
    if (!this.zoom(Math.exp(-pixels * WHEEL_SPEED * pinchFactor), ...this.#toCanvas(event))) return;
    event.preventDefault();
    this.listener.onChange(false);
  }
}
