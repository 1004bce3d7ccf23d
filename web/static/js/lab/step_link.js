// Links to a step, such as `#step=12`.

const UPDATE_DELAY_MS = 300; // browsers limit how often the URL can be changed

/** Return the step in the URL, or null if there is none. */
export function parseStepLink() {
  const found = /^#step=(\d{1,15})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/**
 * Keep the clock and the step in the URL in sync.
 * @param {import("./clock.js").Clock} clock
 * @returns {() => void} called when the clock has changed
 */
export function syncAddress(clock) {
  addEventListener("hashchange", () => {
    const step = parseStepLink();
    if (step !== null) clock.go(clock.placeOf(step));
  });
  let due = 0;
  return () => {
    clearTimeout(due);
    if (clock.playing) return;
    due = setTimeout(() => history.replaceState(null, "", `#step=${clock.number}`), UPDATE_DELAY_MS);
  };
}
