// The graph of all shortest solutions as one SVG in a box that scrolls: a dot a board, a line a move.
// One board is chosen, by pointer or keys; the solution that the player shows is drawn over the rest.

import { draw } from "../job/chart.js";
import { layOut } from "./graph_layout.js";
import { watchPinch } from "./pinch.js";

const STEP = 24; // px between two boards of a layer, unzoomed
const WIDEST = 3; // between two layers, in such steps
const EDGE = 24;
const LEAST_DOT = 3.2;
const DOT_SPAN = 5;
const CLOSEST = 3;
const FARTHEST = 0.1;
const NEAR_PX = 30;

export class GraphView {
  /**
   * @param {HTMLElement} host the box, empty
   * @param {object} graph as the API tells it
   * @param {{onChoose: (number: number) => void, onTake: () => void}} listener told of the board that is chosen, and
   *        that a solution through it is wanted
   */
  constructor(host, graph, listener) {
    this.host = host;
    this.listener = listener;
    this.laid = layOut(graph);
    this.chosen = 0;
    this.scale = 1;
    this.along = this.#layerStep();
    this.svg = draw(host, "svg", { class: "ways-svg", "aria-hidden": "true" });
    this.#draw();
    this.#listen();
    this.fit();
  }

  get nodes() {
    return this.laid.nodes;
  }

  /** The numbers of the boards that moves from the start lead along. */
  boardsAlong(letters) {
    const places = [0];
    for (const letter of letters) {
      const next = this.nodes[places.at(-1)].onward.find(({ move }) => move === letter);
      if (!next) return []; // a solution of another length is not in the graph
      places.push(next.to);
    }
    return places;
  }

  /** The moves of a solution through a board: as the graph tells them, the first each time. */
  lettersThrough(number) {
    let before = "";
    for (let at = number; this.nodes[at].back.length; ) {
      const [{ from, move }] = this.nodes[at].back;
      before = move + before;
      at = from;
    }
    let after = "";
    for (let at = number; this.nodes[at].onward.length; ) {
      const [{ to, move }] = this.nodes[at].onward;
      after += move;
      at = to;
    }
    return before + after;
  }

  /** Draw a solution over the graph; an empty one takes the last away. */
  showWay(letters) {
    this.way = this.boardsAlong(letters);
    this.wayLine.setAttribute("d", this.way.map((number, place) => `${place ? "L" : "M"}${this.#at(number)}`).join(""));
  }

  /** Mark the board that the player shows. */
  mark(position) {
    const number = this.way?.[position];
    this.here.toggleAttribute("hidden", number === undefined);
    if (number === undefined) return;
    const { x, y } = this.nodes[number];
    this.here.setAttribute("cx", x * this.along);
    this.here.setAttribute("cy", y * STEP);
  }

  choose(number, scrolls = true) {
    this.chosen = number;
    const { x, y } = this.nodes[number];
    this.ring.setAttribute("cx", x * this.along);
    this.ring.setAttribute("cy", y * STEP);
    this.ring.setAttribute("r", this.#radius(number) + 4);
    if (scrolls) this.#bringIntoView(number);
    this.listener.onChoose(number);
  }

  /** Show the whole graph, but no smaller than can be told apart. */
  fit() {
    const [width, height] = this.#size();
    const scale = Math.min(this.host.clientWidth / width, this.host.clientHeight / height, 1.6);
    this.#zoomTo(Math.max(scale, FARTHEST), 0, 0);
  }

  /** Zoom so that the middle, or a point of the box, stays where it is. */
  zoom(factor, x = this.host.clientWidth / 2, y = this.host.clientHeight / 2) {
    this.#zoomTo(Math.max(FARTHEST, Math.min(CLOSEST, this.scale * factor)), x, y);
  }

  #zoomTo(scale, x, y) {
    const { host, svg } = this;
    const [width, height] = this.#size();
    const [atX, atY] = [(host.scrollLeft + x) / this.scale, (host.scrollTop + y) / this.scale];
    this.scale = scale;
    svg.setAttribute("width", width * scale);
    svg.setAttribute("height", height * scale);
    host.scrollLeft = atX * scale - x;
    host.scrollTop = atY * scale - y;
  }

  /** How far apart the layers are drawn: so that the graph has about the shape of its box. */
  #layerStep() {
    const { layers, lowest, highest } = this.laid;
    const shape = this.host.clientWidth / this.host.clientHeight;
    const fitting = (shape * (highest - lowest) * STEP) / Math.max(1, layers.length - 1);
    return Math.max(STEP, Math.min(WIDEST * STEP, fitting));
  }

  #size() {
    const { layers, lowest, highest } = this.laid;
    return [(layers.length - 1) * this.along + 2 * EDGE, (highest - lowest) * STEP + 2 * EDGE];
  }

  #at(number) {
    const { x, y } = this.nodes[number];
    return `${x * this.along} ${(y * STEP).toFixed(1)}`;
  }

  #radius(number) {
    return LEAST_DOT + DOT_SPAN * Math.sqrt(this.nodes[number].through / this.laid.count);
  }

  #draw() {
    const { svg, nodes } = this;
    const [width, height] = this.#size();
    svg.setAttribute("viewBox", `${-EDGE} ${this.laid.lowest * STEP - EDGE} ${width} ${height}`);
    const lines = nodes.flatMap(({ onward }, from) => onward.map(({ to }) => `M${this.#at(from)}L${this.#at(to)}`));
    draw(svg, "path", { class: "ways-line", d: lines.join("") });
    this.wayLine = draw(svg, "path", { class: "ways-shown", d: "" });
    for (const [number, { x, y }] of nodes.entries()) {
      draw(svg, "circle", { class: "ways-dot", cx: x * this.along, cy: (y * STEP).toFixed(1), r: this.#radius(number).toFixed(1) });
    }
    this.here = draw(svg, "circle", { class: "ways-here", r: LEAST_DOT + DOT_SPAN, hidden: "" });
    this.ring = draw(svg, "circle", { class: "ways-ring" });
  }

  #listen() {
    const { host } = this;
    host.addEventListener("click", (event) => {
      const number = this.#nearest(event, Infinity);
      this.choose(number, false);
    });
    host.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse") return;
      const number = this.#nearest(event, NEAR_PX);
      if (number !== null && number !== this.chosen) this.choose(number, false);
    });
    host.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // a trackpad's pinch; else the box scrolls
      event.preventDefault();
      const box = host.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * 0.01), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    watchPinch(host, (factor, x, y) => {
      const box = host.getBoundingClientRect();
      this.zoom(factor, x - box.left, y - box.top);
    });
    host.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { nodes, chosen, laid } = this;
    const layer = laid.layers[nodes[chosen].depth];
    // Along the solution that is shown, where the board lies on it.
    const onWay = (depth) => (this.way?.[nodes[chosen].depth] === chosen ? this.way[depth] : undefined);
    const places = {
      ArrowRight: () => onWay(nodes[chosen].depth + 1) ?? nodes[chosen].onward[0]?.to,
      ArrowLeft: () => onWay(nodes[chosen].depth - 1) ?? nodes[chosen].back[0]?.from,
      ArrowDown: () => layer[nodes[chosen].place + 1],
      ArrowUp: () => layer[nodes[chosen].place - 1],
      Home: () => 0,
      End: () => nodes.length - 1,
    };
    if (event.key === "Enter") this.listener.onTake();
    else if (event.key === "+") this.zoom(2);
    else if (event.key === "-") this.zoom(0.5);
    else if (event.key in places) {
      const number = places[event.key]();
      if (number !== undefined) this.choose(number);
    } else return;
    event.preventDefault();
  }

  /** The board next to a pointer, but none farther than so many pixels. */
  #nearest(event, most) {
    const box = this.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / this.scale - EDGE;
    const y = (event.clientY - box.top) / this.scale - EDGE + this.laid.lowest * STEP;
    let [best, distance] = [null, most / this.scale];
    for (const [number, node] of this.nodes.entries()) {
      const away = Math.hypot(node.x * this.along - x, node.y * STEP - y);
      if (away < distance) [best, distance] = [number, away];
    }
    return best;
  }

  #bringIntoView(number) {
    const { host } = this;
    const { x, y } = this.nodes[number];
    const left = (x * this.along + EDGE) * this.scale;
    const top = ((y - this.laid.lowest) * STEP + EDGE) * this.scale;
    const room = 2 * EDGE;
    if (left < host.scrollLeft + room) host.scrollLeft = left - room;
    else if (left > host.scrollLeft + host.clientWidth - room) host.scrollLeft = left - host.clientWidth + room;
    if (top < host.scrollTop + room) host.scrollTop = top - room;
    else if (top > host.scrollTop + host.clientHeight - room) host.scrollTop = top - host.clientHeight + room;
  }
}
