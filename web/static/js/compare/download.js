// Downloads of charts as SVG or PNG with a title and with inline colours and fonts.

import { draw } from "../job/chart.js";
import { saveFile } from "../export.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const MARGIN = 20;
const TITLE_HEIGHT = 40;
const PNG_SCALE = 2;
const COPIED_PROPERTIES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
  "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "paint-order",
];

/** Copy the computed styles to attributes, element by element. */
function inlineStyles(original, copy) {
  const style = getComputedStyle(original);
  for (const name of COPIED_PROPERTIES) copy.setAttribute(name, style.getPropertyValue(name));
  copy.removeAttribute("class");
  [...original.children].forEach((child, index) => inlineStyles(child, copy.children[index]));
}

/** Draw the legend, because the page's legend is not part of the chart's SVG element. */
function drawLegend(picture, legend, top, style) {
  for (const [index, { text, colour, edge }] of legend.entries()) {
    const y = top + index * 20;
    draw(picture, "rect", { x: MARGIN, y: y + 2, width: 16, height: 8, rx: 2, fill: colour, stroke: edge });
    draw(picture, "text", { x: MARGIN + 24, y: y + 10, fill: style.color, "font-family": style.fontFamily, "font-size": 12 }, text);
  }
}

/**
 * Create from a chart an SVG document that needs no style sheet.
 * @param {{text: string, colour: string, edge: string}[]} legend
 */
function makeChartPicture(svg, title, legend) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const style = getComputedStyle(document.body);
  const background = getComputedStyle(svg.closest(".panel")).backgroundColor;
  const pictureWidth = width + 2 * MARGIN;
  const pictureHeight = TITLE_HEIGHT + height + MARGIN + legend.length * 20;
  const picture = document.createElementNS(NAMESPACE, "svg");
  for (const [name, value] of Object.entries({ xmlns: NAMESPACE, width: pictureWidth, height: pictureHeight, viewBox: `0 0 ${pictureWidth} ${pictureHeight}` })) picture.setAttribute(name, value);
  draw(picture, "title", {}, title);
  draw(picture, "rect", { width: pictureWidth, height: pictureHeight, fill: background });
  draw(picture, "text", { x: MARGIN, y: 26, fill: style.color, "font-family": style.fontFamily, "font-size": 16, "font-weight": 600 }, title);
  const group = draw(picture, "g", { transform: `translate(${MARGIN} ${TITLE_HEIGHT})` });
  for (const child of svg.children) {
    const copy = group.appendChild(child.cloneNode(true));
    inlineStyles(child, copy);
  }
  drawLegend(picture, legend, TITLE_HEIGHT + height, style);
  return picture;
}

async function renderPng(picture, text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Number(picture.getAttribute("width")) * PNG_SCALE;
  canvas.height = Number(picture.getAttribute("height")) * PNG_SCALE;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/**
 * Set up the download buttons of all charts in an element.
 * @param {() => {text: string, colour: string, edge: string}[]} readLegend
 * @param {(reason: string) => void} onFailure
 */
export function setUpDownloads(root, readLegend, onFailure) {
  for (const button of root.querySelectorAll("[data-picture]")) {
    button.addEventListener("click", async () => {
      const panel = button.closest("[data-chart]");
      const title = panel.querySelector('[data-part="chart-title"]').textContent;
      const kind = button.dataset.picture;
      try {
        const picture = makeChartPicture(panel.querySelector("svg.bars, svg.sweep"), title, readLegend());
        const text = new XMLSerializer().serializeToString(picture);
        const blob = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await renderPng(picture, text);
        saveFile(blob, `${panel.querySelector('[data-part="metric"]').value.replaceAll("_", "-")}.${kind}`);
      } catch (error) {
        onFailure(error.message);
      }
    });
  }
}
