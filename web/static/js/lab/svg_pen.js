// Writes an SVG file; it has the methods of a canvas context that paint the search tree.

const ANCHORS = { left: "start", center: "middle", right: "end" };

const round = (value) => Math.round(value * 100) / 100;
const escape = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

export class SvgPen {
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
