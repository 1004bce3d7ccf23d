// The search tree on a canvas. It grows with the clock: at each position the visible nodes get a new layout
// and slide there from their previous positions.

import { fitAll, followNode, LEVEL_SPACING, NODE_SPACING, computeStretch, Viewport } from "./viewport.js";
import { watchColours } from "./colours.js";
import { paintTree, NodeGlyphs } from "./tree_painting.js";
import { layOut } from "./tree_layout.js";

const SLIDE_MS = 200;
const ZOOM_STEP = 1.35;
const PAN_PX = 60;
const MIN_TOUCH_RADIUS_PX = 11;

export class TreeView {
  /** @param {{width: number, goal: number[], onChoose: (node: object) => void, isInformed: boolean, weight: number | null, onFollowChange: (following: boolean) => void}} options */
  constructor(canvas, tree, { width, goal, isInformed, weight, onChoose, onFollowChange }) {
    this.canvas = canvas;
    this.tree = tree;
    this.onFollowChange = onFollowChange;
    this.pen = canvas.getContext("2d");
    this.glyphs = new NodeGlyphs(width, goal, isInformed, weight);
    this.reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
    this.isFollowing = true;
    this.chosenScale = null; // set once the visitor zooms
    this.port = new Viewport(canvas, {
      onChange: (byDrag) => this.#onViewChange(byDrag),
      onClick: (x, y) => {
        const node = this.findNode(x, y);
        if (node) onChoose(node);
      },
    });
    this.port.computeStretch = (scale) => (this.layout ? computeStretch(scale, this.layout, this.port.height) : 1);
    this.position = -1;
    canvas.addEventListener("keydown", (event) => this.#handleKey(event));
    watchColours((colours) => {
      this.glyphs.setColours(colours);
      this.#redraw();
    });
    new ResizeObserver(() => this.#resize()).observe(canvas);
  }

  /** Show the tree at a position; with `over`, also the solution. */
  show(position, { current, over, selectedNode = null, jump = false }) {
    const hasMoved = position !== this.position;
    Object.assign(this, { position, current, over, selectedNode });
    this.glyphs.pathShown = over;
    if (hasMoved) this.#grow(jump);
    else if (this.isFollowing) this.#slide(jump);
    else this.#redraw();
  }

  #grow(jump) {
    const previous = this.layout && this.#computePositions();
    this.shownNodes = this.tree.nodes.filter(({ bornAt }) => bornAt <= this.position);
    this.layout = layOut(this.shownNodes, this.tree.nodes.length);
    const wasShown = this.isShown ?? new Uint8Array(this.tree.nodes.length);
    const isShown = new Uint8Array(this.tree.nodes.length);
    this.from = { x: Float64Array.from(this.layout.x), y: Float64Array.from(this.layout.y) };
    for (const node of this.shownNodes) {
      isShown[node.index] = 1;
      const source = wasShown[node.index] ? node.index : node.parent && wasShown[node.parent.index] ? node.parent.index : -1;
      if (previous && source >= 0) {
        this.from.x[node.index] = previous.x[source];
        this.from.y[node.index] = previous.y[source];
      }
    }
    this.isShown = isShown;
    this.#slide(jump || !previous);
  }

  /** Return the current positions of the sliding nodes. */
  #computePositions() {
    if (!this.sliding) return this.layout;
    const mix = (from, to) => to.map((value, index) => from[index] + (value - from[index]) * this.slideProgress);
    return { x: mix(this.from.x, this.layout.x), y: mix(this.from.y, this.layout.y) };
  }

  #slide(jump) {
    if (this.port.width === 0) return;
    const target = this.isFollowing ? this.#findTarget() : null;
    const { x, y, scale } = this.port;
    cancelAnimationFrame(this.frame);
    this.sliding = !(jump || this.reducedMotion.matches);
    if (!this.sliding) {
      if (target) this.port.set(target);
      this.slideProgress = 1;
      this.#redraw();
      return;
    }
    const startedAt = performance.now();
    const step = (now) => {
      const time = Math.min(1, Math.max(0, now - startedAt) / SLIDE_MS);
      this.slideProgress = 1 - (1 - time) ** 3;
      const mix = (from, to) => from + (to - from) * this.slideProgress;
      if (target) this.port.set({ x: mix(x, target.x), y: mix(y, target.y), scale: scale * (target.scale / scale) ** this.slideProgress });
      if (time < 1) this.frame = requestAnimationFrame(step);
      else this.sliding = false;
      this.#paint();
    };
    this.slideProgress = 0;
    this.frame = requestAnimationFrame(step);
  }

  #findTarget() {
    const { layout, port, chosenScale } = this;
    const target = this.selectedNode?.index >= 0 && this.isShown[this.selectedNode.index] ? this.selectedNode : this.current;
    if (this.over && chosenScale === null && !this.selectedNode) return fitAll(layout, port.width, port.height);
    return followNode(layout, target, port.width, port.height, chosenScale);
  }

  #onViewChange(byDrag) {
    cancelAnimationFrame(this.frame);
    this.sliding = false;
    if (byDrag) this.isFollowing = false;
    this.chosenScale = this.port.scale;
    this.onFollowChange(this.isFollowing);
    this.#redraw();
  }

  zoomBy(steps) {
    if (this.port.zoom(ZOOM_STEP ** steps)) this.#onViewChange(false);
    if (this.isFollowing) this.#slide(false);
  }

  /** Show the whole tree. */
  fit() {
    this.isFollowing = false;
    this.chosenScale = null;
    this.port.set(fitAll(this.layout, this.port.width, this.port.height));
    this.onFollowChange(false);
    this.#redraw();
  }

  follow() {
    this.isFollowing = true;
    this.chosenScale = null;
    this.onFollowChange(true);
    this.#slide(false);
  }

  /** Return the node at a point of the canvas. */
  findNode(x, y) {
    const maxDistance = Math.max(MIN_TOUCH_RADIUS_PX, this.glyphs.halfSize(this.port.scale));
    let nearest = null;
    let minDistance = maxDistance;
    for (const node of this.shownNodes) {
      const [nodeX, nodeY] = this.positionOnScreen(node);
      const distance = Math.max(Math.abs(nodeX - x), Math.abs(nodeY - y));
      if (distance <= minDistance) [nearest, minDistance] = [node, distance];
    }
    return nearest;
  }

  /** Return a node's position on the canvas. */
  positionOnScreen(node) {
    return this.port.toScreen(this.layout.x[node.index] * NODE_SPACING, this.layout.y[node.index] * LEVEL_SPACING);
  }

  #handleKey(event) {
    const pans = { ArrowLeft: [PAN_PX, 0], ArrowRight: [-PAN_PX, 0], ArrowUp: [0, PAN_PX], ArrowDown: [0, -PAN_PX] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.zoomBy(1);
    else if (event.key === "-") this.zoomBy(-1);
    else if (event.key === "0") this.fit();
    else if (event.shiftKey && event.key in pans) this.port.pan(...pans[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #resize() {
    const { canvas, port } = this;
    port.measure();
    const ratio = devicePixelRatio * port.magnification;
    const width = Math.round(port.width * ratio);
    const height = Math.round(port.height * ratio);
    if (canvas.width === width && canvas.height === height) return;
    [canvas.width, canvas.height] = [width, height];
    if (!this.layout) return;
    if (this.isFollowing) this.#slide(true);
    else this.#paint();
  }

  #redraw() {
    if (this.redrawRequest || !this.layout) return;
    this.redrawRequest = requestAnimationFrame(() => {
      this.redrawRequest = null;
      this.#paint();
    });
  }

  #paint() {
    const { pen, port, canvas } = this;
    const ratio = devicePixelRatio * port.magnification;
    const positions = this.#computePositions();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const locate = ({ index }) => port.toScreen(positions.x[index] * NODE_SPACING, positions.y[index] * LEVEL_SPACING);
    paintTree(pen, this, { locate, scale: port.scale, width: port.width, height: port.height });
  }
}
