// The page that shows all shortest solutions: it polls the API for the progress, fetches the text rendered by the
// server, plays any of the solutions, and highlights it in the graph.

import { parseMoves } from "../board/moves.js";
import { describeBoard, makeBoard, readGoal, readTiles } from "../board/board.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { JobPoller, refreshLiveParts, removeCancelButton } from "../job/job_poller.js";
import { GraphView } from "./graph_view.js";
import { gettext } from "../texts.js";
import { formatNumber } from "../numbers.js";

const root = document.getElementById("ways");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const width = Number(root.dataset.width);
const height = Number(root.dataset.height);
const start = readTiles(root.dataset.board);
const goal = readGoal(root.dataset.goal, start.length);
let player = null;
let graph = null;
let shownLetters = "";

/** Show a solution in the player and in the graph. */
function showSolution(letters, title, position = 0) {
  shownLetters = letters;
  player?.dispose();
  graph?.showSolution(letters);
  const playback = new Playback(start, width, parseMoves(letters));
  playback.seek(position);
  player = new Player(part("player"), playback, goal, () => {});
  player.onPositionChange = (shown) => graph?.mark(shown);
  graph?.mark(position);
  part("shown").textContent = title;
  for (const button of root.querySelectorAll("[data-moves]")) {
    button.setAttribute("aria-pressed", String(button.dataset.moves === letters));
  }
}

const makeTitle = ({ number, kind }) =>
  kind === "turns" ? gettext("The optimal solution with the fewest slides") : kind === "slides" ? gettext("A solution with the fewest slides") : gettext("Solution {number}", { number: formatNumber(number) });

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
  part("selected-board").setAttribute("aria-label", describeBoard(cells, width, goal));
  part("selected-description").textContent = gettext("Board {position} of {boards} after {depth} moves, in {through} of {count} solutions.", {
    depth: formatNumber(depth),
    position: formatNumber(position + 1),
    boards: formatNumber(layout.layers[depth].length),
    through: formatNumber(through),
    count: formatNumber(layout.count),
  });
}

function showSolutionThrough() {
  if (!graph) return;
  const letters = graph.findSolution(graph.selectedNumber);
  showSolution(letters, gettext("A solution through the selected board"), graph.nodes[graph.selectedNumber].depth);
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
    const searchText = lower === null ? "" : gettext("Searching for the first shortest solution: at least {lower} moves", { lower: formatNumber(lower) });
    part("progress-text").textContent = view.state === "queued" ? gettext("Waiting for a worker") : searchText;
    return;
  }
  bar.value = length ? depth / length : 1;
  part("progress-text").textContent = gettext("Level {depth} of {length} searched", { depth: formatNumber(depth), length: formatNumber(length) });
}

const isOver = ({ finished_at: finishedAt }) => finishedAt !== null;

const poller = new JobPoller(root, root.dataset.url, {
  isOver,
  async onView(view, signal) {
    showProgress(view);
    if (!isOver(view)) return;
    removeCancelButton(root);
    // The job can have ended after the page was rendered and before the first poll.
    if (!("over" in root.dataset)) {
      await refreshLiveParts(root, signal);
      part("announce").textContent = gettext("Search finished.");
    }
    showFirst();
    await drawGraph();
  },
});
poller.start();
