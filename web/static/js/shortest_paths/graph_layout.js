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
