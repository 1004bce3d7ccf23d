// The page that shows all shortest solutions: it polls the API for the progress, fetches the text rendered by the
// server, plays any of the solutions, and highlights it in the graph.

import { parseMoves } from "../board/moves.js";
import { describeBoard, fill, makeBoard, readGoal, readTiles } from "../board/board.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { JobPoller, refreshLiveParts, removeCancelButton } from "../job/job_poller.js";
import { GraphView } from "./graph_view.js";

const root = document.getElementById("ways");
const texts = JSON.parse(document.getElementById("content").dataset.texts);
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const numbers = new Intl.NumberFormat(document.documentElement.lang);
const width = Number(root.dataset.width);
const height = Number(root.dataset.height);
const start = readTiles(root.dataset.board);
const goal = readGoal(root.dataset.goal, start.length);
let player = null;
let graph = null;
let shownLetters = "";

/** A player that marks its position in the graph. */
class GraphPlayer extends Player {
  show(jump) {
    super.show(jump);
    graph?.mark(this.playback.position);
  }
}

/** Show a solution in the player and in the graph. */
function showSolution(letters, title, position = 0) {
  shownLetters = letters;
  player?.dispose();
  graph?.showSolution(letters);
  const playback = new Playback(start, width, parseMoves(letters));
  playback.seek(position);
  player = new GraphPlayer(part("player"), playback, goal, texts, () => {});
  part("shown").textContent = title;
  for (const button of root.querySelectorAll("[data-moves]")) {
    button.setAttribute("aria-pressed", String(button.dataset.moves === letters));
  }
}

const makeTitle = ({ number, kind }) => (number === undefined ? texts[`shown_${kind}`] : fill(texts.shown, { number: numbers.format(number) }));

function showFirst() {
  const first = root.querySelector(".solutions-list [data-moves]");
  if (first) showSolution(first.dataset.moves, makeTitle(first.dataset));
}

async function drawGraph() {
  const host = part("graph");
  if (!host) return;
  const response = await fetch(`${root.dataset.url}/graph`, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const board = makeBoard(part("selected-board"), width, height, goal);
  graph = new GraphView(host, await response.json(), {
    onChoose: (number) => showBoard(board, number),
    onShowSolution: showSolutionThrough,
  });
  graph.choose(0, false);
  graph.showSolution(shownLetters);
  graph.mark(player.playback.position);
}

function showBoard(board, number) {
  const { nodes, layout } = graph;
  const { rows, depth, position, through } = nodes[number];
  const cells = rows.flat();
  board.draw(cells, true);
  part("selected-board").setAttribute("aria-label", describeBoard(cells, width, goal, texts));
  part("selected-description").textContent = fill(texts.node, {
    depth: numbers.format(depth),
    position: numbers.format(position + 1),
    boards: numbers.format(layout.layers[depth].length),
    through: numbers.format(through),
    count: numbers.format(layout.count),
  });
}

function showSolutionThrough() {
  if (!graph) return;
  const letters = graph.findSolution(graph.selectedNumber);
  showSolution(letters, texts.shown_through, graph.nodes[graph.selectedNumber].depth);
}

root.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { moves, zoom, part: name } = button.dataset;
  if (moves !== undefined) {
    showSolution(moves, makeTitle(button.dataset));
    part("board").scrollIntoView({ block: "nearest" });
  } else if (name === "through") showSolutionThrough();
  else if (zoom === "fit") graph?.fit();
  else if (zoom) graph?.zoom(Number(zoom));
});

function showProgress(view) {
  const { depth, length, lower_bound: lower, finished_at: finishedAt } = view;
  part("progress-box").hidden = finishedAt !== null;
  const bar = part("progress");
  if (length === null) {
    bar.removeAttribute("value");
    const searchText = lower === null ? "" : fill(texts.finding, { lower: numbers.format(lower) });
    part("progress-text").textContent = view.state === "queued" ? texts.waiting : searchText;
    return;
  }
  bar.value = length ? depth / length : 1;
  part("progress-text").textContent = fill(texts.layers, { depth: numbers.format(depth), length: numbers.format(length) });
}

const isOver = ({ finished_at: finishedAt }) => finishedAt !== null;

const poller = new JobPoller(root, root.dataset.url, texts, {
  isOver,
  async onView(view, signal) {
    showProgress(view);
    if (!isOver(view)) return;
    removeCancelButton(root);
    // The job can have ended after the page was rendered and before the first poll.
    if (!("over" in root.dataset)) {
      await refreshLiveParts(root, signal);
      part("announce").textContent = texts.ended;
    }
    showFirst();
    await drawGraph();
  },
});
poller.start();
