// The whole tree as an SVG or PNG file, at a scale at which its nodes can be read.

import { saveFile } from "../export.js";
import { paintTree } from "./tree_painting.js";
import { LEVEL_SPACING, NODE_SPACING } from "./viewport.js";

// Writes an SVG file; it has the methods of a canvas context that paint the search tree.

const ANCHORS = { left: "start", center: "middle", right: "end" };

const round = (value) => Math.round(value * 100) / 100;
const escape = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

class SvgPen {
  constructor() {
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, font: "", textAlign: "left" });
    this.dashes = [];
    this.elements = [];
    this.beginPath();
  }

  setLineDash(dashes) {
    this.dashes = dashes;
  }

  beginPath() {
    this.path = "";
  }

  moveTo(x, y) {
    this.path += `M${round(x)} ${round(y)}`;
  }

  lineTo(x, y) {
    this.path += `L${round(x)} ${round(y)}`;
  }

  bezierCurveTo(...points) {
    this.path += `C${points.map(round).join(" ")}`;
  }

  closePath() {
    this.path += "Z";
  }

  /** Add a whole circle. */
  arc(x, y, radius) {
    const half = `a${round(radius)} ${round(radius)} 0 1 0`;
    this.path += `M${round(x - radius)} ${round(y)}${half}${round(2 * radius)} 0${half}${round(-2 * radius)} 0Z`;
  }

  roundRect(x, y, width, height, radius) {
    const r = round(Math.min(radius, width / 2, height / 2));
    const corner = (across, down) => `a${r} ${r} 0 0 1 ${across * r} ${down * r}`;
    const [across, down] = [round(width - 2 * r), round(height - 2 * r)];
    this.path += `M${round(x + r)} ${round(y)}h${across}${corner(1, 1)}v${down}${corner(-1, 1)}h${-across}${corner(-1, -1)}v${-down}${corner(1, -1)}Z`;
  }

  fill() {
    this.#add("path", `d="${this.path}" fill="${this.fillStyle}"`);
  }

  stroke() {
    this.#add("path", `d="${this.path}" ${this.#stroke()}`);
  }

  fillText(text, x, y) {
    this.#addText(text, x, y, `fill="${this.fillStyle}"`);
  }

  strokeText(text, x, y) {
    this.#addText(text, x, y, this.#stroke());
  }

  #stroke() {
    const dashes = this.dashes.length > 0 ? ` stroke-dasharray="${this.dashes.join(" ")}"` : "";
    return `fill="none" stroke="${this.strokeStyle}" stroke-width="${round(this.lineWidth)}"${dashes}`;
  }

  #addText(text, x, y, paint) {
    const [, weight, size, family] = /^(\d+) ([\d.]+)px (.*)$/.exec(this.font);
    const font = `font-family="${escape(family)}" font-size="${round(Number(size))}" font-weight="${weight}"`;
    this.#add("text", `x="${round(x)}" y="${round(y)}" text-anchor="${ANCHORS[this.textAlign]}" dominant-baseline="central" ${font} ${paint}`, escape(text));
  }

  #add(name, attributes, content = "") {
    const opacity = this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : "";
    this.elements.push(`<${name} ${attributes}${opacity}>${content}</${name}>`);
  }

  /** Return the document. */
  write(width, height, title, background) {
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
      `<title>${escape(title)}</title>`,
      `<rect width="${width}" height="${height}" fill="${background}"/>`,
      ...this.elements,
      "</svg>\n",
    ].join("\n");
  }
}

const MARGIN = 48;
const HEADING = 56;
const HEADING_FONT_PX = 20;
const MAX_BOARDS = 600; // nodes of a tree that is drawn with boards instead of symbols
const BOARD_SCALE = 1;
const SYMBOL_SCALE = 0.6;
const MAX_PIXELS = 100_000_000; // of a PNG
const MAX_SIDE = 16_384;
const MAX_PIXEL_RATIO = 2;

function measurePicture({ layout, shownNodes }) {
  const scale = shownNodes.length <= MAX_BOARDS ? BOARD_SCALE : SYMBOL_SCALE;
  const width = Math.ceil((layout.right - layout.left) * NODE_SPACING * scale + 2 * MARGIN);
  const height = Math.ceil(layout.depth * LEVEL_SPACING * scale + 2 * MARGIN + HEADING);
  return { scale, width, height };
}

function paint(pen, view, title, { scale, width, height }) {
  const { layout, glyphs } = view;
  const locate = ({ index }) => [
    (layout.x[index] - layout.left) * NODE_SPACING * scale + MARGIN,
    layout.y[index] * LEVEL_SPACING * scale + MARGIN + HEADING,
  ];
  pen.fillStyle = glyphs.colours.ink;
  pen.font = `600 ${HEADING_FONT_PX}px ${glyphs.colours.sans}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(title, MARGIN / 2, HEADING / 2);
  paintTree(pen, view, { locate, scale, width, height });
}

function makeSvg(view, title) {
  const pen = new SvgPen();
  const size = measurePicture(view);
  paint(pen, view, title, size);
  return new Blob([pen.write(size.width, size.height, title, view.glyphs.colours.ground)], { type: "image/svg+xml" });
}

function makePng(view, title) {
  const size = measurePicture(view);
  const { width, height } = size;
  const ratio = Math.min(MAX_PIXEL_RATIO, MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.floor(width * ratio), Math.floor(height * ratio)];
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.fillStyle = view.glyphs.colours.ground;
  pen.fillRect(0, 0, width, height);
  paint(pen, view, title, size);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export async function saveTree(view, kind, title, name) {
  saveFile(await (kind === "svg" ? makeSvg : makePng)(view, title), `${name}.${kind}`);
}
