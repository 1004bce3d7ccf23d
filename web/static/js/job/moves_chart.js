// The chart of the moves of the best solution over time, for jobs that improve a solution. The first second
// may halve the moves, while hours later every move counts, so both axes are logarithmic: time, and the
// excess over the best solution. The lower bound usually lies far below the chart.

import { draw, measureChart, path } from "./chart.js";

const MARGIN = { top: 14, right: 10, bottom: 26, left: 48 };
const FIRST_S = 0.1; // time is roughly linear up to here or to the first solution
const LEAST_SHARE = 0.005; // of the best: moves are roughly linear up to this excess
const LINES = 4;
const NARROWEST_LABEL = 52;
const TIMES = [0, 0.1, 1, 10, 60, 600, 3600, 36000, 360000, 3600000];

/**
 * @param {SVGSVGElement} svg its content is replaced
 * @param {{time: number, upper: number | null}[]} events seconds since the start, ascending
 * @param {number} end seconds until which the last solution is drawn
 * @param {(seconds: number) => string} timeText
 * @param {Intl.NumberFormat} numbers
 * @returns {boolean} whether anything was drawn
 */
export function drawMovesChart(svg, events, end, timeText, numbers) {
  const found = events.filter(({ upper }) => upper !== null);
  if (!found.length) return false;
  const [width, height] = measureChart(svg);
  const best = found.at(-1).upper;
  const offset = Math.max(2, best * LEAST_SHARE);
  const first = Math.max(FIRST_S, found[0].time);
  const last = Math.max(end, found.at(-1).time, first);
  const over = (moves) => Math.log(moves -best + offset);
  const low = over(best - offset / 2);
  const high = over(Math.max(found[0].upper,best + offset));
  const x = (time) => MARGIN.left + (Math.log1p(time / first) / Math.log1p(last / first)) * (width - MARGIN.left - MARGIN.right);
  const y = (moves) => height - MARGIN.bottom - ((over(moves) - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);

  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const moves of roundMoves(best, offset, low, high)) {
    draw(svg, "line", { class: "chart-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(moves), y2: y(moves) });
    draw(svg, "text", { class: "chart-scale", x: MARGIN.left - 8, y: y(moves) + 4, "text-anchor": "end" }, numbers.format(moves));
  }
  drawTimes(svg, x, last, height, timeText);

  const points = [];
  for (const { time, upper } of found) {
    if (points.length) points.push([x(time), points.at(-1)[1]]);
    points.push([x(time), y(upper)]);
  }
  points.push([x(last), points.at(-1)[1]]);
  const floor = height - MARGIN.bottom;
  draw(svg, "path", { class: "chart-band chart-band-upper", d: `${path([...points, [x(last), floor], [points[0][0], floor]])}Z` });
  draw(svg, "path", { class: "chart-upper", d: path(points) });
  const [atX, atY] = points.at(-1);
  draw(svg, "circle", { class: "chart-dot chart-dot-upper", cx: atX, cy: atY, r: 4 });
  draw(svg, "text", { class: "chart-value chart-value-upper", x: atX, y: atY - 9, "text-anchor": "end" }, numbers.format(best));
  return true;
}

/** Return numbers of moves at about even heights, rounded to as few digits as distinguish them. */
function roundMoves(best, offset, low, high) {
  const exact = Array.from({ length: LINES }, (_, line) => best - offset + Math.exp(low + ((line + 0.5) / LINES) * (high - low)));
  return exact.map((moves, line) => {
    const difference = line ? moves - exact[line - 1] : exact[1] - moves;
    const step = 10 ** Math.max(0, Math.floor(Math.log10(difference)));
    return Math.round(moves / step) * step;
  }).filter((moves, line, all) => moves >= best - offset / 2 && all.indexOf(moves) === line);
}

/** Label the end time and as many round times before it as fit. */
function drawTimes(svg, x, last, height, timeText) {
  const label = (time, anchor) => draw(svg, "text", { class: "chart-scale", x: x(time), y: height - 6, "text-anchor": anchor }, timeText(time));
  label(last, "end");
  let free = -Infinity;
  for (const time of TIMES) {
    if (time > last || x(time) > x(last) - 2 * NARROWEST_LABEL) return;
    if (x(time) < free) continue;
    label(time, time ? "middle" : "start");
    free = x(time) + NARROWEST_LABEL;
  }
}
