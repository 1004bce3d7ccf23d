// The page of all shortest solutions: it polls the API for the progress, fetches the text rendered by the
// server, plays any of the solutions, and highlights it in the graph.

import { parseMoves } from "../board/move_letters.js";
import { describeBoard, fill, makeBoard, readGoal, readTiles } from "../board/board_rendering.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { JobPoller } from "../job/job_poller.js";
import { GraphView } from "./graph_view.js";

const root = document.getElementById("ways");
const words = JSON.parse(document.getElementById("content").dataset.words);
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const numbers = new Intl.NumberFormat(document.documentElement.lang);
const width = Number(root.dataset.width);
const height = Number(root.dataset.height);
const start = readTiles(root.dataset.board);
const goal = readGoal(root.dataset.goal, start.length);
let player = null;
let graph = null;
let shown = "";

/** A player that marks its position in the graph. */
class GraphPlayer extends Player {
  show(jump) {
    super.show(jump);
    graph?.mark(this.playback.position);
  }
}

/** Show a solution in the player and in the graph. */
function show(letters, title, position = 0) {
  shown = letters;
  player?.dispose();
  graph?.showSolution(letters);
  const playback = new Playback(start, width, parseMoves(letters));
  playback.seek(position);
  player = new GraphPlayer(part("player"), playback, goal, words, () => {});
  part("shown").textContent = title;
  for (const button of root.querySelectorAll("[data-moves]")) {
    button.setAttribute("aria-pressed", String(button.dataset.moves === letters));
  }
}

const makeTitle = ({ number, kind }) => (number === undefined ? words[`shown_${kind}`] : fill(words.shown, { number: numbers.format(number) }));

function showFirst() {
  const first = root.querySelector(".solutions-list [data-moves]");
  if (first) show(first.dataset.moves, makeTitle(first.dataset));
}

async function drawGraph() {
  const host = part("graph");
  if (!host) return;
  const response = await fetch(`${root.dataset.address}/graph`, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const board = makeBoard(part("chosen-board"), width, height, goal);
  graph = new GraphView(host, await response.json(), {
    onChoose: (number) => showChosen(board, number),
    onShowSolution: showSolutionThrough,
  });
  graph.choose(0, false);
  graph.showSolution(shown);
  graph.mark(player.playback.position);
}

function showChosen(board, number) {
  const { nodes, layout } = graph;
  const { rows, depth, place, through } = nodes[number];
  const cells = rows.flat();
  board.draw(cells, true);
  part("chosen-board").setAttribute("aria-label", describeBoard(cells, width, goal, words));
  part("chosen-words").textContent = fill(words.node, {
    depth: numbers.format(depth),
    position: numbers.format(place + 1),
    boards: numbers.format(layout.layers[depth].length),
    through: numbers.format(through),
    count: numbers.format(layout.count),
  });
}

function showSolutionThrough() {
  if (!graph) return;
  const letters = graph.lettersThrough(graph.chosen);
  show(letters, words.shown_through, graph.nodes[graph.chosen].depth);
}

root.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { moves, zoom, part: name } = button.dataset;
  if (moves !== undefined) {
    show(moves, makeTitle(button.dataset));
    part("board").scrollIntoView({ block: "nearest" });
  } else if (name === "through") showSolutionThrough();
  else if (zoom === "fit") graph?.fit();
  else if (zoom) graph?.zoom(Number(zoom));
});

/** Fetch this page again and replace its live parts. */
async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const newer = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const place of root.querySelectorAll("[data-live]")) {
    const fresh = newer.querySelector(`[data-live="${place.dataset.live}"]`);
    place.replaceChildren(...document.importNode(fresh, true).childNodes);
    place.hidden = fresh.hidden;
  }
}

function showProgress(view) {
  const { depth, length, lower_bound: lower, finished_at: over } = view;
  part("progress-box").hidden = over !== null;
  const bar = part("progress");
  if (length === null) {
    bar.removeAttribute("value");
    const finding = lower === null ? "" : fill(words.finding, { lower: numbers.format(lower) });
    part("progress-text").textContent = view.state === "queued" ? words.waiting : finding;
    return;
  }
  bar.value = length ? depth / length : 1;
  part("progress-text").textContent = fill(words.layers, { depth: numbers.format(depth), length: numbers.format(length) });
}

const isOver = ({ finished_at: over }) => over !== null;

const poller = new JobPoller(root.dataset.address, {
  isOver,
  async onView(view) {
    showProgress(view);
    if (!isOver(view)) return;
    part("cancel")?.remove();
    // The job can have ended after the page was rendered and before the first poll.
    if (!("over" in root.dataset)) {
      await refresh();
      part("announce").textContent = words.ended;
    }
    showFirst();
    await drawGraph();
  },
  onLost(seconds) {
    part("lost").textContent = fill(words.lost, { seconds });
    part("lost").hidden = false;
  },
  onBack() {
    part("lost").hidden = true;
  },
});
poller.start();
