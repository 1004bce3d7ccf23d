// The whole tree as an SVG or PNG file, at a scale at which its nodes can be read.

import { LEVEL_SPACING, NODE_SPACING } from "./camera.js";
import { saveFile } from "../saved_file.js";
import { SvgPen } from "./svg_pen.js";
import { paintTree } from "./tree_painting.js";

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

/**
 * @param {import("./tree_view.js").TreeView} view
 * @param {"svg" | "png"} kind
 */
export async function saveTree(view, kind, title, name) {
  saveFile(await (kind === "svg" ? makeSvg : makePng)(view, title), `${name}.${kind}`);
}
