// One bar for each method, its name above it. Drawn by attributes and classes only.

import { draw } from "../job/chart.js";

const NARROWEST = 240;
const ROW = 36;
const BAR = 11;
const EDGE = { top: 4, right: 8, bottom: 24 };
const SHORTEST = 2;
const LETTER = 7; // about the width of a digit
const BETWEEN = 10; // at least, from one number of the axis to the next

/**
 * @param {SVGSVGElement} svg its content is replaced
 * @param {{title: string, value: number | null, kind: string}[]} bars in the order of the table
 * @param {{ticks: number[], share: (value: number) => number}} scale
 * @param {(value: number) => string} write
 */
export function drawBars(svg, bars, scale, write) {
  const width = Math.max(NARROWEST, svg.clientWidth);
  const height = EDGE.top + bars.length * ROW + EDGE.bottom;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  svg.replaceChildren();
  const longest = Math.max(...bars.map(({ value }) => (value === null ? 1 : write(value).length)));
  const room = width - EDGE.right - longest * LETTER - 8;
  const x = (value) => scale.share(value) * room;

  let free = 0;
  for (const tick of scale.ticks) {
    draw(svg, "line", { class: "chart-grid", x1: x(tick), x2: x(tick), y1: EDGE.top, y2: height - EDGE.bottom });
    const wide = write(tick).length * LETTER;
    const start = x(tick) < wide / 2;
    const left = start ? x(tick) : x(tick) - wide / 2;
    if (left < free) continue;
    free = left + wide + BETWEEN;
    draw(svg, "text", { class: "chart-scale", x: x(tick), y: height - 6, "text-anchor": start ? "start" : "middle" }, write(tick));
  }
  bars.forEach(({ title, value, kind }, place) => {
    const top = EDGE.top + place * ROW;
    draw(svg, "text", { class: "bars-name", x: 0, y: top + 13 }, title);
    const length = value === null ? 0 : Math.max(SHORTEST, x(value));
    if (value !== null) draw(svg, "rect", { class: `bars-${kind}`, x: 0, y: top + 18, width: length, height: BAR, rx: 2 });
    draw(svg, "text", { class: "bars-value", x: length + 6, y: top + 28 }, value === null ? "–" : write(value));
  });
}
