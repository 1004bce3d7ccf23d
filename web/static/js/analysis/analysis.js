// The page of a game's analysis: it polls the API for the progress, fetches the text rendered by the
// server, and plays the game or a better solution.

import { fill, readGoal, readTiles } from "../board/board_rendering.js";
import { parseMoves } from "../board/move_letters.js";
import { blankSteps } from "../board/moves.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { TimedPlayback } from "../board/timed_playback.js";
import { JobPoller } from "../job/job_poller.js";
import { drawTimes, GameChart } from "./chart.js";

const root = document.getElementById("analysis");
const words = JSON.parse(document.getElementById("content").dataset.words);
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const numbers = new Intl.NumberFormat(document.documentElement.lang);
const decimals = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 });
const width = Number(root.dataset.width);
const start = readTiles(root.dataset.board);
const goal = readGoal(root.dataset.goal, start.length);
const chart = new GameChart(part("chart"), (position) => goTo(position));
let view = null;
let player = null;
let showsBetterSolution = false;

/** Return the tiles after a number of moves of the game. */
function tilesAfter(count) {
  const cells = start.slice();
  const steps = blankSteps(width);
  let blank = cells.indexOf(0);
  for (const letter of view.moves.slice(0, count)) {
    const tile = blank + steps["UDLR".indexOf(letter)];
    [cells[blank], cells[tile]] = [cells[tile], 0];
    blank = tile;
  }
  return cells;
}

/** A player that reports its position to the page. */
class GamePlayer extends Player {
  show(jump) {
    super.show(jump);
    onPosition(this.playback.position);
  }
}

function play(tiles, letters, position) {
  const playback = new Playback(tiles, width, parseMoves(letters));
  playback.seek(position);
  player?.dispose();
  player = new GamePlayer(part("player"), playback, goal, words, () => {});
}

function showGame(position) {
  showsBetterSolution = false;
  part("way").hidden = true;
  play(start, view.moves, position);
}

/** Go to a position of the game, leaving a better solution if one is shown. */
function goTo(position) {
  if (showsBetterSolution) showGame(position);
  else player.go(position);
}

function showBetterSolution({ way, move }) {
  showsBetterSolution = true;
  part("way-text").textContent = fill(words.way_shown, { move: numbers.format(move), moves: numbers.format(way.length) });
  part("way").dataset.position = move - 1;
  part("way").hidden = false;
  play(tilesAfter(move - 1), way, 0);
  part("board").scrollIntoView({ block: "nearest" });
}

/** Show how many moves remain at the player's position. */
function onPosition(position) {
  chart.mark(showsBetterSolution ? null : position);
  const result = view?.result;
  if (!result || showsBetterSolution) {
    part("remains").textContent = "";
    return;
  }
  const [min, max] = [result.lower[position], result.upper[position]];
  const template = max === null ? words.remains_at_least : min === max ? words.remains : words.remains_between;
  const values = { move: numbers.format(position), remaining: numbers.format(min), min: numbers.format(min), max: max === null ? "" : numbers.format(max) };
  part("remains").textContent = fill(template, values);
}

function showResult(result) {
  part("chart-box").hidden = false;
  part("legend-upper").hidden = result.exact;
  chart.show(result);
  const { lower } = result;
  const values = { first: lower[0], last: lower.at(-1), max: lower.reduce((a, b) => Math.max(a, b)) };
  part("chart-words").textContent = fill(words.chart, values);
  drawMoveTimes();
  onPosition(player.playback.position);
}

function drawMoveTimes() {
  if (!view?.result || !view.times_ms?.length) return;
  part("times-box").hidden = false;
  drawTimes(part("times"), view.times_ms, {
    most: (seconds) => fill(words.seconds, { count: decimals.format(seconds) }),
    move: (move, seconds) => fill(words.took, { move: numbers.format(move), seconds: decimals.format(seconds) }),
  });
}

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

function showProgress() {
  const { settled, total, finished_at: over } = view;
  part("progress-box").hidden = over !== null;
  if (total === null) {
    part("progress-text").textContent = view.state === "queued" ? words.waiting : "";
    return;
  }
  part("progress").value = settled / total;
  part("progress-text").textContent = fill(words.progress, { settled: numbers.format(settled), total: numbers.format(total) });
}

root.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-go], [data-way]");
  if (!button || !player) return;
  const { go, way, move } = button.dataset;
  if (way !== undefined) showBetterSolution({ way, move: Number(move) });
  else goTo(Number(go));
});
part("way-back").addEventListener("click", () => {
  showGame(Number(part("way").dataset.position));
  part("board").focus();
});

/** Play the game at the speed at which it was played; any other control stops it. */
function setUpRealTime(button) {
  let position = 0;
  const playback = new TimedPlayback(
    view.times_ms,
    (count) => {
      if (showsBetterSolution || player.playing || player.playback.position !== position) return playback.stop();
      if (count !== position) player.go(count);
      position = count;
      return undefined;
    },
    () => button.setAttribute("aria-pressed", "false"),
  );
  button.disabled = false;
  button.addEventListener("click", () => {
    if (playback.isRunning) return playback.stop();
    position = 0;
    showGame(0);
    button.setAttribute("aria-pressed", "true");
    return playback.start();
  });
}

const isOver = ({ finished_at: over }) => over !== null;

const poller = new JobPoller(root.dataset.address, {
  isOver,
  async onView(newer) {
    view = newer;
    if (!player) {
      showGame(0);
      if (part("real-time")) setUpRealTime(part("real-time"));
    }
    showProgress();
    if (isOver(view)) {
      part("cancel")?.remove();
      // The job can have ended after the page was rendered and before the first poll.
      if (!("over" in root.dataset)) {
        await refresh();
        part("announce").textContent = words.ended;
      }
      if (view.result) showResult(view.result);
    }
  },
  onLost(seconds) {
    part("lost").textContent = fill(words.lost, { seconds });
    part("lost").hidden = false;
  },
  onBack() {
    part("lost").hidden = true;
  },
});

let drawnWidth = 0;
new ResizeObserver(([{ contentRect }]) => {
  if (Math.abs(contentRect.width - drawnWidth) < 1) return;
  drawnWidth = contentRect.width;
  chart.draw();
  drawMoveTimes();
}).observe(root);
poller.start();
