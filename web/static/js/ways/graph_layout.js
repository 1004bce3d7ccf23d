// Where the boards of a graph in layers lie: in an order with few crossings, as near to their
// neighbours as their distance from each other allows. Units: one layer along, one board across.

const SWEEPS = 12;
const SETTLING = 24;
const PULL = 0.8; // of its neighbours, against that of the middle of the layer

/**
 * @typedef {object} Node
 * @property {number[][]} rows
 * @property {number} depth moves from the start
 * @property {number} x the same
 * @property {number} y
 * @property {number} place in its layer, from 0
 * @property {number} through how many ways go through it
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
  order(nodes, layers);
  settle(nodes, layers);
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

const ahead = (node) => node.onward.map(({ to }) => to);
const behind = (node) => node.back.map(({ from }) => from);

function mean(nodes, numbers, key) {
  return numbers.reduce((sum, number) => sum + nodes[number][key], 0) / numbers.length;
}

/** Order each layer by where its neighbours are, forwards and backwards in turn. */
function order(nodes, layers) {
  const number = (layer) => layer.forEach((one, place) => (nodes[one].place = place));
  layers.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forwards = sweep % 2 === 0;
    const beside = forwards ? behind : ahead;
    for (const layer of forwards ? layers.slice(1) : layers.slice(0, -1).reverse()) {
      const keys = new Map(layer.map((one) => [one, mean(nodes, beside(nodes[one]), "place")]));
      layer.sort((one, other) => keys.get(one) - keys.get(other) || nodes[one].place - nodes[other].place);
      number(layer);
    }
  }
}

/** Draw each board to the middle of its neighbours, and those of a layer apart. */
function settle(nodes, layers) {
  for (const layer of layers) layer.forEach((one, place) => (nodes[one].y = place - (layer.length - 1) / 2));
  for (let round = 0; round < SETTLING; round += 1) {
    for (const layer of round % 2 ? [...layers].reverse() : layers) {
      const wanted = layer.map((one, place) => {
        const beside = [...ahead(nodes[one]), ...behind(nodes[one])];
        return beside.length ? PULL * mean(nodes, beside, "y") + (1 - PULL) * (place - (layer.length - 1) / 2) : 0;
      });
      const placed = [];
      for (const [place, y] of wanted.entries()) placed.push(place ? Math.max(y, placed[place - 1] + 1) : y);
      // Pushed apart to one side, they lie too far to it.
      const shift = placed.reduce((sum, y, place) => sum + y - wanted[place], 0) / placed.length;
      layer.forEach((one, place) => (nodes[one].y = placed[place] - shift));
    }
  }
}
