// The page of all shortest solutions: the API tells how far the search is, the server writes what is
// in words, the player shows any of the solutions, and the graph is drawn with the one that is shown.

import { movesOf } from "../board/letters.js";
import { describe, fill, makeBoard, readGoal, readTiles } from "../board/make_board.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { JobWatch } from "../job/poll.js";
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

/** A player that tells the page where it is. */
class WaysPlayer extends Player {
  show(jump) {
    super.show(jump);
    graph?.mark(this.playback.position);
  }
}

/** Show a solution in the player and in the graph. */
function show(letters, title, position = 0) {
  shown = letters;
  player?.dispose();
  graph?.showWay(letters);
  const playback = new Playback(start, width, movesOf(letters));
  playback.seek(position);
  player = new WaysPlayer(part("player"), playback, goal, words, () => {});
  part("shown").textContent = title;
  for (const button of root.querySelectorAll("[data-moves]")) {
    button.setAttribute("aria-pressed", String(button.dataset.moves === letters));
  }
}

const titleOf = ({ number, kind }) => (number === undefined ? words[`shown_${kind}`] : fill(words.shown, { number: numbers.format(number) }));

function showFirst() {
  const first = root.querySelector(".ways-list [data-moves]");
  if (first) show(first.dataset.moves, titleOf(first.dataset));
}

async function drawGraph() {
  const host = part("graph");
  if (!host) return;
  const answer = await fetch(`${root.dataset.address}/graph`, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const board = makeBoard(part("chosen-board"), width, height, goal);
  graph = new GraphView(host, await answer.json(), {
    onChoose: (number) => showChosen(board, number),
    onTake: takeThrough,
  });
  graph.choose(0, false);
  graph.showWay(shown);
  graph.mark(player.playback.position);
}

function showChosen(board, number) {
  const { nodes, laid } = graph;
  const { rows, depth, place, through } = nodes[number];
  const cells = rows.flat();
  board.draw(cells, true);
  part("chosen-board").setAttribute("aria-label", describe(cells, width, goal, words));
  part("chosen-words").textContent = fill(words.node, {
    depth: numbers.format(depth),
    place: numbers.format(place + 1),
    boards: numbers.format(laid.layers[depth].length),
    through: numbers.format(through),
    count: numbers.format(laid.count),
  });
}

function takeThrough() {
  if (!graph) return;
  const letters = graph.lettersThrough(graph.chosen);
  show(letters, words.shown_through, graph.nodes[graph.chosen].depth);
}

root.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { moves, zoom, part: name } = button.dataset;
  if (moves !== undefined) {
    show(moves, titleOf(button.dataset));
    part("board").scrollIntoView({ block: "nearest" });
  } else if (name === "through") takeThrough();
  else if (zoom === "fit") graph?.fit();
  else if (zoom) graph?.zoom(Number(zoom));
});

/** Fetch this page again and take over what is said on it. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const newer = new DOMParser().parseFromString(await answer.text(), "text/html");
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

const watch = new JobWatch(root.dataset.address, {
  isOver,
  async onView(view) {
    showProgress(view);
    if (!isOver(view)) return;
    part("cancel")?.remove();
    // It may have ended after the page was written and before it was first asked for.
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
watch.start();
