// Creates elements.

/** Create an element with properties and children. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Create a row of a table from its heading and its figures. */
export function makeRow(heading, figures) {
  return make("tr", {}, make("th", { scope: "row" }, heading), ...figures.map((figure) => make("td", { className: "figure" }, figure)));
}
