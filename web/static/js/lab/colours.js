// The page's colours for canvases, to which style sheets do not apply; updated with the colour scheme.

const COLOURS = {
  ink: "--ink", soft: "--ink-soft", surface: "--surface", ground: "--ground", line: "--line", lineStrong: "--line-strong",
  cobalt: "--cobalt", onCobalt: "--on-cobalt", bright: "--ochre-bright", brick: "--brick", tray: "--tray", away: "--tile-away",
  awayInk: "--tile-away-ink", home: "--tile-home", homeInk: "--tile-home-ink",
};
const FONTS = { serif: "--serif", sans: "--sans" };
const watchers = new Set();

function readColours() {
  const probe = document.body.appendChild(document.createElement("span"));
  const style = getComputedStyle(probe); // only a computed colour has the scheme applied
  const resolve = ([name, property]) => {
    probe.style.color = `var(${property})`;
    return [name, style.color];
  };
  const colours = Object.fromEntries(Object.entries(COLOURS).map(resolve));
  for (const [name, property] of Object.entries(FONTS)) colours[name] = style.getPropertyValue(property).trim();
  probe.remove();
  return colours;
}

function update() {
  const colours = readColours();
  for (const watcher of watchers) watcher(colours);
}

/** @param {(colours: object) => void} watcher called now and whenever the colour scheme changes */
export function watchColours(watcher) {
  if (watchers.size === 0) matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  watchers.add(watcher);
  watcher(readColours());
}

/** Whether the page is dark, by the visitor's choice or the system's. */
export function isDark() {
  return document.documentElement.dataset.scheme === "dark" || (!document.documentElement.dataset.scheme && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Choose a colour scheme for the page; null returns to the system's. */
export function chooseScheme(scheme) {
  if (scheme) document.documentElement.dataset.scheme = scheme;
  else delete document.documentElement.dataset.scheme;
  update();
}
