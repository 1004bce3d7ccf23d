// The layout of a layered graph of boards: ordered to avoid crossings, with each board close to its
// neighbours. Units: one layer horizontally, one board vertically.

const SWEEPS = 12;
const PLACEMENT_ROUNDS = 24;
const PULL = 0.8; // weight of the neighbours against the middle of the layer

/**
 * @typedef {object} Node
 * @property {number[][]} rows
 * @property {number} depth moves from the start
 * @property {number} x the same
 * @property {number} y
 * @property {number} position in its layer, from 0
 * @property {number} through number of solutions through it
 * @property {{to: number, move: string}[]} onward
 * @property {{from: number, move: string}[]} back
 */

/**
 * @param {{boards: {rows: number[][], depth: number, ways: number}[], moves: {from: number, to: number, move: string}[]}} graph
 * @returns {{nodes: Node[], layers: number[][], count: number, lowest: number, highest: number}}
 */
export function layOut(graph) {
  const nodes = graph.boards.map(({ rows, depth }) => ({ rows, depth, x: depth, y: 0, place: 0, through: 0, onward: [], back: [] }));
  for (const { from, to, move } of graph.moves) {
    nodes[from].onward.push({ to, move });
    nodes[to].back.push({ from, move });
  }
  const layers = [];
  for (const [number, { depth }] of nodes.entries()) (layers[depth] ??= []).push(number);
  countThrough(nodes, graph.boards, layers);
  orderLayers(nodes, layers);
  placeBoards(nodes, layers);
  const across = nodes.map(({ y }) => y);
  return { nodes, layers, count: graph.boards[0].ways, lowest: Math.min(...across), highest: Math.max(...across) };
}

function countThrough(nodes, boards, layers) {
  const from = new Float64Array(nodes.length);
  from[0] = 1;
  for (const layer of layers) {
    for (const number of layer) {
      nodes[number].through = from[number] * boards[number].ways;
      for (const { to } of nodes[number].onward) from[to] += from[number];
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
  const setPlaces = (layer) => layer.forEach((one, place) => (nodes[one].place = place));
  layers.forEach(setPlaces);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forwards = sweep % 2 === 0;
    const neighbours = forwards ? predecessors : successors;
    for (const layer of forwards ? layers.slice(1) : layers.slice(0, -1).reverse()) {
      const keys = new Map(layer.map((one) => [one, mean(nodes, neighbours(nodes[one]), "place")]));
      layer.sort((one, other) => keys.get(one) - keys.get(other) || nodes[one].place - nodes[other].place);
      setPlaces(layer);
    }
  }
}

/** Move each board towards the mean of its neighbours, and keep the boards of a layer apart. */
function placeBoards(nodes, layers) {
  for (const layer of layers) layer.forEach((one, place) => (nodes[one].y = place - (layer.length - 1) / 2));
  for (let round = 0; round < PLACEMENT_ROUNDS; round += 1) {
    for (const layer of round % 2 ? [...layers].reverse() : layers) {
      const targets = layer.map((one, place) => {
        const neighbours = [...successors(nodes[one]), ...predecessors(nodes[one])];
        return neighbours.length ? PULL * mean(nodes, neighbours, "y") + (1 - PULL) * (place - (layer.length - 1) / 2) : 0;
      });
      const placed = [];
      for (const [place, y] of targets.entries()) placed.push(place ? Math.max(y, placed[place - 1] + 1) : y);
      // Keeping them apart moves them to one side; shift the layer back.
      const shift = placed.reduce((sum, y, place) => sum + y - targets[place], 0) / placed.length;
      layer.forEach((one, place) => (nodes[one].y = placed[place] - shift));
    }
  }
}
