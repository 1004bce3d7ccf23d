// The page's colours for canvases, which style sheets do not affect; updated with the colour scheme.

const NAMES = {
  ink: "--ink", soft: "--ink-soft", surface: "--surface", sunken: "--sunken", line: "--line", lineStrong: "--line-strong",
  cobalt: "--cobalt", onCobalt: "--on-cobalt", wash: "--cobalt-wash", ochre: "--ochre", bright: "--ochre-bright",
  brick: "--brick", brickWash: "--brick-wash", tray: "--tray", away: "--tile-away", awayInk: "--tile-away-ink",
  home: "--tile-home", homeInk: "--tile-home-ink", serif: "--serif", sans: "--sans",
};

export function readColours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(Object.entries(NAMES).map(([name, property]) => [name, style.getPropertyValue(property).trim()]));
}

/** @param {(colours: object) => void} use called now and whenever the colour scheme changes */
export function watchColours(use) {
  use(readColours());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => use(readColours()));
}
