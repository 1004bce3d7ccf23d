// The moves of the best solution over time, for boards that only get better: the first second halves
// them, and hours later a few moves less are news. So both scales are logarithmic: that of time, and
// that of moves in what they are over the best. The lower bound mostly lies far below the picture.

import { draw, extentOf, path } from "./chart.js";

const EDGE = { top: 14, right: 10, bottom: 26, left: 48 };
const FIRST_S = 0.1; // up to here, or to the first solution, time is told about evenly
const LEAST_SHARE = 0.005; // of the best: up to so much over it, moves are told about evenly
const LINES = 4;
const NARROWEST_LABEL = 52;
const TIMES = [0, 0.1, 1, 10, 60, 600, 3600, 36000, 360000, 3600000];

/**
 * @param {SVGSVGElement} svg its content is replaced
 * @param {{time: number, upper: number | null}[]} events seconds since the start, ascending
 * @param {number} end seconds until which the last solution holds
 * @param {(seconds: number) => string} timeText
 * @param {Intl.NumberFormat} numbers
 * @returns {boolean} whether there is something to be seen
 */
export function drawMoves(svg, events, end, timeText, numbers) {
  const found = events.filter(({ upper }) => upper !== null);
  if (!found.length) return false;
  const [width, height] = extentOf(svg);
  const best = found.at(-1).upper;
  const rest = Math.max(2, best * LEAST_SHARE);
  const first = Math.max(FIRST_S, found[0].time);
  const last = Math.max(end, found.at(-1).time, first);
  const over = (moves) => Math.log(moves - best + rest);
  const low = over(best - rest / 2);
  const high = over(Math.max(found[0].upper, best + rest));
  const x = (time) => EDGE.left + (Math.log1p(time / first) / Math.log1p(last / first)) * (width - EDGE.left - EDGE.right);
  const y = (moves) => height - EDGE.bottom - ((over(moves) - low) / (high - low)) * (height - EDGE.top - EDGE.bottom);

  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const moves of roundMoves(best, rest, low, high)) {
    draw(svg, "line", { class: "chart-grid", x1: EDGE.left, x2: width - EDGE.right, y1: y(moves), y2: y(moves) });
    draw(svg, "text", { class: "chart-scale", x: EDGE.left - 8, y: y(moves) + 4, "text-anchor": "end" }, numbers.format(moves));
  }
  drawTimes(svg, x, last, height, timeText);

  const points = [];
  for (const { time, upper } of found) {
    if (points.length) points.push([x(time), points.at(-1)[1]]);
    points.push([x(time), y(upper)]);
  }
  points.push([x(last), points.at(-1)[1]]);
  const floor = height - EDGE.bottom;
  draw(svg, "path", { class: "chart-band chart-band-upper", d: `${path([...points, [x(last), floor], [points[0][0], floor]])}Z` });
  draw(svg, "path", { class: "chart-upper", d: path(points) });
  const [atX, atY] = points.at(-1);
  draw(svg, "circle", { class: "chart-dot chart-dot-upper", cx: atX, cy: atY, r: 4 });
  draw(svg, "text", { class: "chart-value chart-value-upper", x: atX, y: atY - 9, "text-anchor": "end" }, numbers.format(best));
  return true;
}

/** Numbers of moves at about even heights, each with as few digits as tell them apart. */
function roundMoves(best, rest, low, high) {
  const exact = Array.from({ length: LINES }, (_, line) => best - rest + Math.exp(low + ((line + 0.5) / LINES) * (high - low)));
  return exact.map((moves, line) => {
    const apart = line ? moves - exact[line - 1] : exact[1] - moves;
    const step = 10 ** Math.max(0, Math.floor(Math.log10(apart)));
    return Math.round(moves / step) * step;
  }).filter((moves, line, all) => moves >= best - rest / 2 && all.indexOf(moves) === line);
}

/** The end's time, and before it as many round ones as there is room for. */
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
