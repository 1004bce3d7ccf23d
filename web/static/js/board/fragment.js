// Links to a position of what a page plays, such as `#move=12`. The URL follows the player, so that it can be copied
// at any time.

const UPDATE_DELAY_MS = 400; // browsers limit how often the URL can be changed

/** Return the position in the URL, or null if there is none. */
export function readPosition(name) {
  const match = new RegExp(`^#${name}=(\\d{1,15})$`).exec(location.hash);
  return match ? Number(match[1]) : null;
}

/**
 * Go to the position of each link that is followed; the start, where a page without one begins, needs none.
 * @returns {(position: number) => void} writes a position into the URL soon
 */
export function followLinks(name, start, go) {
  addEventListener("hashchange", () => {
    const position = readPosition(name);
    if (position !== null) go(position);
  });
  let timer = null;
  let last;
  return (position) => {
    last = position;
    timer ??= setTimeout(() => {
      timer = null;
      const hash = last === start ? "" : `#${name}=${last}`;
      if (hash !== location.hash) history.replaceState(history.state, "", location.pathname + location.search + hash);
    }, UPDATE_DELAY_MS);
  };
}
