// The page that shows the analysis of a game: it polls the API for the progress, fetches the text rendered by the
// server, and plays the game or a better solution.

import { readGoal, readTiles } from "../board/board.js";
import { parseMoves } from "../board/moves.js";
import { Playback, TimedPlayback } from "../board/playback.js";
import { Player } from "../board/player.js";
import { draw, drawGrid, makeCountScale, makePath, measureChart, RIGHT } from "../job/chart.js";
import { JobPoller, refreshLiveParts, removeCancelButton } from "../job/job_poller.js";
import { fill, gettext } from "../texts.js";
import { formatDuration } from "../job/formats.js";
import { formatNumber } from "../numbers.js";

// The chart of the remaining moves along a game: the proven lower bound, the upper bound, and a dot for each
// lost move. A line marks the player's position; a click goes to a position.

const MARGIN = { top: 14, right: RIGHT, bottom: 26, left: 40 };
const MAX_DOTS = 400;

class GameChart {
  /** @param {(position: number) => void} onPosition */
  constructor(svg, onPosition) {
    this.svg = svg;
    this.position = 0;
    svg.addEventListener("click", (event) => {
      if (!this.result) return;
      const { left, width } = svg.getBoundingClientRect();
      const fraction = (((event.clientX - left) / width) * this.width - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right);
      onPosition(Math.round(Math.max(0, Math.min(1, fraction)) * this.result.length));
    });
  }

  /** Draw the result of an analysis. */
  show(result) {
    this.result = result;
    this.draw();
  }

  /** Mark a position; null if the player does not show the game. */
  mark(position) {
    this.position = position;
    this.cursor?.remove();
    if (!this.result || position === null) return;
    const x = this.x(position);
    this.cursor = draw(this.svg, "line", { class: "chart-cursor", x1: x, x2: x, y1: MARGIN.top, y2: this.height - MARGIN.bottom });
  }

  draw() {
    const { svg, result } = this;
    if (!result) return;
    const { lower, upper, losses, length } = result;
    [this.width, this.height] = measureChart(svg);
    const scale = makeCountScale(lower.concat(upper).reduce((a, b) => Math.max(a, b), 1), 4);
    this.x = (position) => MARGIN.left + (length ? position / length : 0) * (this.width - MARGIN.left - MARGIN.right);
    const y = (value) => this.height - MARGIN.bottom - scale.fraction(value) * (this.height - MARGIN.top - MARGIN.bottom);
    drawGrid(svg, scale.ticks, MARGIN.left, y);
    for (const position of makeCountScale(length, 5).ticks.filter((tick) => tick <= length)) {
      draw(svg, "text", { class: "chart-scale", x: this.x(position), y: this.height - 6, "text-anchor": position ? "middle" : "start" }, formatNumber(position));
    }
    const points = lower.map((value, position) => [this.x(position), y(value)]);
    if (!result.exact && upper[0] !== null) {
      const upperPoints = upper.map((value, position) => [this.x(position), y(value)]);
      draw(svg, "path", { class: "chart-band", d: `${makePath([...upperPoints, ...[...points].reverse()])}Z` });
      draw(svg, "path", { class: "chart-upper", d: makePath(upperPoints) });
    }
    draw(svg, "path", { class: "chart-lower", d: makePath(points) });
    if (losses.length <= MAX_DOTS) {
      for (const { move } of losses) draw(svg, "circle", { class: "chart-loss", cx: this.x(move), cy: y(lower[move]), r: 3.5 });
    }
    this.mark(this.position);
  }
}

/** Draw the time of each move as a bar; the longest has the chart's full height. */
function drawTimes(svg, times) {
  const [width, height] = measureChart(svg);
  const durations = times.map((time, index) => (index ? time - times[index - 1] : 0));
  const longest = Math.max(1, durations.reduce((a, b) => Math.max(a, b), 0));
  const plotWidth = width - MARGIN.left - MARGIN.right;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  draw(svg, "text", { class: "chart-scale", x: MARGIN.left - 8, y: 12, "text-anchor": "end" }, formatDuration(longest / 1000));
  draw(svg, "line", { class: "chart-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: height - 1, y2: height - 1 });
  for (const [index, time] of durations.entries()) {
    const barHeight = (time / longest) * (height - 4);
    const bar = draw(svg, "rect", { class: "chart-time", x: MARGIN.left + (index / times.length) * plotWidth, y: height - 1 - barHeight, width: Math.max(1, (plotWidth / times.length) * 0.8), height: barHeight });
    draw(bar, "title", {}, `${formatNumber(index + 1)}: ${formatDuration(time / 1000)}`);
  }
}

const root = document.getElementById("analysis");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const width = Number(root.dataset.width);
const start = readTiles(root.dataset.board);
const goal = readGoal(root.dataset.goal, start.length);
const chart = new GameChart(part("chart"), (position) => goTo(position));
let view = null;
let player = null;
let showsBetterSolution = false;

function play(tiles, letters, position) {
  const playback = new Playback(tiles, width, parseMoves(letters));
  playback.seek(position);
  player?.dispose();
  player = new Player(part("player"), playback, goal, () => {});
  player.onPositionChange = showPosition;
  showPosition(position);
}

function showGame(position) {
  showsBetterSolution = false;
  part("better-solution").hidden = true;
  play(start, view.moves, position);
}

/** Go to a position in the game; if a better solution is shown, return to the game first. */
function goTo(position) {
  if (showsBetterSolution) showGame(position);
  else player.go(position);
}

function showBetterSolution(letters, move) {
  showsBetterSolution = true;
  part("better-solution-text").textContent = gettext("Better moves instead of move {move}: {moves}", { move: formatNumber(move), moves: formatNumber(letters.length) });
  part("better-solution").dataset.position = move - 1;
  part("better-solution").hidden = false;
  const game = new Playback(start, width, parseMoves(view.moves));
  game.seek(move - 1);
  play(game.cells, letters, 0);
  part("board").scrollIntoView({ block: "nearest" });
}

/** Show how many moves remain at the player's position. */
function showPosition(position) {
  chart.mark(showsBetterSolution ? null : position);
  const result = view?.result;
  if (!result || showsBetterSolution) {
    part("remaining").textContent = "";
    return;
  }
  const [min, max] = [result.lower[position], result.upper[position]];
  const template = max === null ? gettext("After move {move}: at least {min} left") : min === max ? gettext("After move {move}: {remaining} left") : gettext("After move {move}: {min} to {max} left");
  const values = { move: formatNumber(position), remaining: formatNumber(min), min: formatNumber(min), max: max === null ? "" : formatNumber(max) };
  part("remaining").textContent = fill(template, values);
}

function showResult(result) {
  part("chart-box").hidden = false;
  part("legend-upper").hidden = result.exact;
  chart.show(result);
  const { lower } = result;
  const values = { first: lower[0], last: lower.at(-1), max: lower.reduce((a, b) => Math.max(a, b)) };
  part("chart-description").textContent = fill(result.exact ? gettext("Moves left during the game: {first} at the start, {last} at the end, {max} at most.") : gettext("Moves left during the game: at least {first} at the start, at least {last} at the end; the highest lower bound is {max}."), values);
  drawMoveTimes();
  showPosition(player.playback.position);
}

function drawMoveTimes() {
  if (!view?.result || !view.times_ms?.length) return;
  part("times-box").hidden = false;
  drawTimes(part("times"), view.times_ms);
}

function showProgress() {
  const { settled, total, finished_at: finishedAt } = view;
  part("progress-box").hidden = finishedAt !== null;
  if (total === null) {
    part("progress-text").textContent = view.state === "queued" ? gettext("Waiting for a worker") : "";
    return;
  }
  part("progress").value = settled / total;
  part("progress-text").textContent = gettext("{settled} of {total} positions done", { settled: formatNumber(settled), total: formatNumber(total) });
}

root.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-go], [data-better-solution]");
  if (!button || !player) return;
  const { go, betterSolution, move } = button.dataset;
  if (betterSolution !== undefined) showBetterSolution(betterSolution, Number(move));
  else goTo(Number(go));
});
part("back-to-game").addEventListener("click", () => {
  showGame(Number(part("better-solution").dataset.position));
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

const isOver = ({ finished_at: finishedAt }) => finishedAt !== null;

const poller = new JobPoller(root, root.dataset.url, {
  isOver,
  async onView(newView, signal) {
    view = newView;
    if (!player) {
      showGame(0);
      if (part("real-time")) setUpRealTime(part("real-time"));
    }
    showProgress();
    if (isOver(view)) {
      removeCancelButton(root);
      // The job can have ended after the page was rendered and before the first poll.
      if (!("over" in root.dataset)) {
        await refreshLiveParts(root, signal);
        part("announce").textContent = gettext("Analysis complete.");
      }
      if (view.result) showResult(view.result);
    }
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
