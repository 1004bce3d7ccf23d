// The graph of all shortest solutions as an SVG in a scrolling box: one dot per board, one line per move.
// One board is selected by pointer or keys; the solution in the player is highlighted.

import { draw } from "../job/chart.js";

// The layout of a layered graph of boards: ordered to avoid crossings, with each board close to its
// neighbours. Units: one layer horizontally, one board vertically.

const SWEEPS = 12;
const PLACEMENT_ROUNDS = 24;
const NEIGHBOUR_WEIGHT = 0.8; // relative to the middle of the layer

/**
 * @typedef {object} Node
 * @property {number[][]} rows
 * @property {number} depth moves from the start
 * @property {number} x the depth again
 * @property {number} y
 * @property {number} position in its layer, from 0
 * @property {number} through number of solutions that contain it
 * @property {{to: number, move: string}[]} onward
 * @property {{from: number, move: string}[]} back
 */

/**
 * @param {{boards: {rows: number[][], depth: number, ways: number}[], moves: {from: number, to: number, move: string}[]}} graph
 * @returns {{nodes: Node[], layers: number[][], count: number, lowest: number, highest: number}}
 */
export function layOut(graph) {
  const nodes = graph.boards.map(({ rows, depth }) => ({ rows, depth, x: depth, y: 0, position: 0, through: 0, onward: [], back: [] }));
  for (const { from, to, move } of graph.moves) {
    nodes[from].onward.push({ to, move });
    nodes[to].back.push({ from, move });
  }
  const layers = [];
  for (const [number, { depth }] of nodes.entries()) (layers[depth] ??= []).push(number);
  countSolutions(nodes, graph.boards, layers);
  orderLayers(nodes, layers);
  placeBoards(nodes, layers);
  const heights = nodes.map(({ y }) => y);
  return { nodes, layers, count: graph.boards[0].ways, lowest: Math.min(...heights), highest: Math.max(...heights) };
}

function countSolutions(nodes, boards, layers) {
  const paths = new Float64Array(nodes.length);
  paths[0] = 1;
  for (const layer of layers) {
    for (const number of layer) {
      nodes[number].through = paths[number] * boards[number].ways;
      for (const { to } of nodes[number].onward) paths[to] += paths[number];
    }
  }
}

const successors = (node) => node.onward.map(({ to }) => to);
const predecessors = (node) => node.back.map(({ from }) => from);

function mean(nodes, numbers, key) {
  return numbers.reduce((sum, number) => sum + nodes[number][key], 0) / numbers.length;
}

/** Order each layer by the mean position of its neighbours, alternating forwards and backwards. */
function orderLayers(nodes, layers) {
  const setPositions = (layer) => layer.forEach((number, position) => (nodes[number].position = position));
  layers.forEach(setPositions);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forwards = sweep % 2 === 0;
    const neighbours = forwards ? predecessors : successors;
    for (const layer of forwards ? layers.slice(1) : layers.slice(0, -1).reverse()) {
      const keys = new Map(layer.map((number) => [number, mean(nodes, neighbours(nodes[number]), "position")]));
      layer.sort((first, second) => keys.get(first) - keys.get(second) || nodes[first].position - nodes[second].position);
      setPositions(layer);
    }
  }
}

/** Move each board towards the mean of its neighbours, and keep the boards of a layer apart. */
function placeBoards(nodes, layers) {
  for (const layer of layers) layer.forEach((number, position) => (nodes[number].y = position - (layer.length - 1) / 2));
  for (let round = 0; round < PLACEMENT_ROUNDS; round += 1) {
    for (const layer of round % 2 ? [...layers].reverse() : layers) {
      const targets = layer.map((number, position) => {
        const neighbours = [...successors(nodes[number]), ...predecessors(nodes[number])];
        return neighbours.length ? NEIGHBOUR_WEIGHT * mean(nodes, neighbours, "y") + (1 - NEIGHBOUR_WEIGHT) * (position - (layer.length - 1) / 2) : 0;
      });
      const spread = [];
      for (const [position, y] of targets.entries()) spread.push(position ? Math.max(y, spread[position - 1] + 1) : y);
      // This moves the boards to one side; shift the layer back.
      const shift = spread.reduce((sum, y, position) => sum + y - targets[position], 0) / spread.length;
      layer.forEach((number, position) => (nodes[number].y = spread[position] - shift));
    }
  }
}

const STEP = 24; // px between two boards of a layer at scale 1
const MAX_LAYER_STEPS = 3; // between two layers, in these steps
const MARGIN = 24;
const MIN_RADIUS = 3.2;
const RADIUS_RANGE = 5;
const MAX_SCALE = 3;
const MIN_SCALE = 0.1;
const NEAR_PX = 30;

export class GraphView {
  /**
   * @param {HTMLElement} host the empty box
   * @param {object} graph as returned by the API
   * @param {{onChoose: (number: number) => void, onShowSolution: () => void}} listener called when a board is selected, and
   * when a solution through it is requested
   */
  constructor(host, graph, listener) {
    this.host = host;
    this.listener = listener;
    this.layout = layOut(graph);
    this.selectedNumber = 0;
    this.scale = 1;
    this.layerStep = this.#computeLayerStep();
    this.svg = draw(host, "svg", { class: "solutions-svg", "aria-hidden": "true" });
    this.#draw();
    this.#listen();
    this.fit();
  }

  get nodes() {
    return this.layout.nodes;
  }

  /** Return the numbers of the boards that moves from the start visit. */
  findBoards(letters) {
    const numbers = [0];
    for (const letter of letters) {
      const next = this.nodes[numbers.at(-1)].onward.find(({ move }) => move === letter);
      if (!next) return []; // a solution of another length is not in the graph
      numbers.push(next.to);
    }
    return numbers;
  }

  /** Return the moves of a solution through a board, taking the first move at each board. */
  findSolution(number) {
    let prefix = "";
    for (let current = number; this.nodes[current].back.length; ) {
      const [{ from, move }] = this.nodes[current].back;
      prefix = move + prefix;
      current = from;
    }
    let suffix = "";
    for (let current = number; this.nodes[current].onward.length; ) {
      const [{ to, move }] = this.nodes[current].onward;
      suffix += move;
      current = to;
    }
    return prefix + suffix;
  }

  /** Highlight a solution; an empty one removes the highlight. */
  showSolution(letters) {
    this.solution = this.findBoards(letters);
    this.solutionLine.setAttribute("d", this.solution.map((number, index) => `${index ? "L" : "M"}${this.#formatPoint(number)}`).join(""));
  }

  /** Mark the board in the player. */
  mark(position) {
    const number = this.solution?.[position];
    this.positionMark.toggleAttribute("hidden", number === undefined);
    if (number === undefined) return;
    const { x, y } = this.nodes[number];
    this.positionMark.setAttribute("cx", x * this.layerStep);
    this.positionMark.setAttribute("cy", y * STEP);
  }

  choose(number, shouldScroll = true) {
    this.selectedNumber = number;
    const { x, y } = this.nodes[number];
    this.selectionMark.setAttribute("cx", x * this.layerStep);
    this.selectionMark.setAttribute("cy", y * STEP);
    this.selectionMark.setAttribute("r", this.#radius(number) + 4);
    if (shouldScroll) this.#scrollIntoView(number);
    this.listener.onChoose(number);
  }

  /** Show the whole graph, at no less than the minimum scale. */
  fit() {
    const [width, height] = this.#size();
    const scale = Math.min(this.host.clientWidth / width, this.host.clientHeight / height, 1.6);
    this.#zoomTo(Math.max(scale, MIN_SCALE), 0, 0);
  }

  /** Zoom around the middle of the box. */
  zoom(factor) {
    const { clientWidth, clientHeight } = this.host;
    this.#zoomTo(Math.max(MIN_SCALE, Math.min(MAX_SCALE, this.scale * factor)), clientWidth / 2, clientHeight / 2);
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

  /** Return the distance between layers that gives the graph about the aspect ratio of its box. */
  #computeLayerStep() {
    const { layers, lowest, highest } = this.layout;
    const aspectRatio = this.host.clientWidth / this.host.clientHeight;
    const ideal = (aspectRatio * (highest - lowest) * STEP) / Math.max(1, layers.length - 1);
    return Math.max(STEP, Math.min(MAX_LAYER_STEPS * STEP, ideal));
  }

  #size() {
    const { layers, lowest, highest } = this.layout;
    return [(layers.length - 1) * this.layerStep + 2 * MARGIN, (highest - lowest) * STEP + 2 * MARGIN];
  }

  #formatPoint(number) {
    const { x, y } = this.nodes[number];
    return `${x * this.layerStep} ${(y * STEP).toFixed(1)}`;
  }

  #radius(number) {
    return MIN_RADIUS + RADIUS_RANGE * Math.sqrt(this.nodes[number].through / this.layout.count);
  }

  #draw() {
    const { svg, nodes } = this;
    const [width, height] = this.#size();
    svg.setAttribute("viewBox", `${-MARGIN} ${this.layout.lowest * STEP - MARGIN} ${width} ${height}`);
    const lines = nodes.flatMap(({ onward }, from) => onward.map(({ to }) => `M${this.#formatPoint(from)}L${this.#formatPoint(to)}`));
    draw(svg, "path", { class: "solutions-line", d: lines.join("") });
    this.solutionLine = draw(svg, "path", { class: "solutions-shown", d: "" });
    for (const [number, { x, y }] of nodes.entries()) {
      draw(svg, "circle", { class: "solutions-dot", cx: x * this.layerStep, cy: (y * STEP).toFixed(1), r: this.#radius(number).toFixed(1) });
    }
    this.positionMark = draw(svg, "circle", { class: "solutions-here", r: MIN_RADIUS + RADIUS_RANGE, hidden: "" });
    this.selectionMark = draw(svg, "circle", { class: "solutions-ring" });
  }

  #listen() {
    const { host } = this;
    host.addEventListener("click", (event) => {
      const number = this.#findNearest(event, Infinity);
      this.choose(number, false);
    });
    host.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse") return;
      const number = this.#findNearest(event, NEAR_PX);
      if (number !== null && number !== this.selectedNumber) this.choose(number, false);
    });
    host.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  #handleKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { nodes, selectedNumber, layout } = this;
    const layer = layout.layers[nodes[selectedNumber].depth];
    // Move along the shown solution if the board is on it.
    const alongSolution = (depth) => (this.solution?.[nodes[selectedNumber].depth] === selectedNumber ? this.solution[depth] : undefined);
    const targets = {
      ArrowRight: () => alongSolution(nodes[selectedNumber].depth + 1) ?? nodes[selectedNumber].onward[0]?.to,
      ArrowLeft: () => alongSolution(nodes[selectedNumber].depth - 1) ?? nodes[selectedNumber].back[0]?.from,
      ArrowDown: () => layer[nodes[selectedNumber].position + 1],
      ArrowUp: () => layer[nodes[selectedNumber].position - 1],
      Home: () => 0,
      End: () => nodes.length - 1,
    };
    if (event.key === "Enter") this.listener.onShowSolution();
    else if (event.key === "+") this.zoom(2);
    else if (event.key === "-") this.zoom(0.5);
    else if (event.key in targets) {
      const number = targets[event.key]();
      if (number !== undefined) this.choose(number);
    } else return;
    event.preventDefault();
  }

  /** Return the board nearest to the pointer within a distance in pixels. */
  #findNearest(event, maxDistance) {
    const box = this.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / this.scale - MARGIN;
    const y = (event.clientY - box.top) / this.scale - MARGIN + this.layout.lowest * STEP;
    let [best, distance] = [null, maxDistance / this.scale];
    for (const [number, node] of this.nodes.entries()) {
      const nodeDistance = Math.hypot(node.x * this.layerStep - x, node.y * STEP - y);
      if (nodeDistance < distance) [best, distance] = [number, nodeDistance];
    }
    return best;
  }

  #scrollIntoView(number) {
    const { host } = this;
    const { x, y } = this.nodes[number];
    const left = (x * this.layerStep + MARGIN) * this.scale;
    const top = ((y - this.layout.lowest) * STEP + MARGIN) * this.scale;
    const margin = 2 * MARGIN;
    if (left < host.scrollLeft + margin) host.scrollLeft = left - margin;
    else if (left > host.scrollLeft + host.clientWidth - margin) host.scrollLeft = left - host.clientWidth + margin;
    if (top < host.scrollTop + margin) host.scrollTop = top - margin;
    else if (top > host.scrollTop + host.clientHeight - margin) host.scrollTop = top - host.clientHeight + margin;
  }
}
