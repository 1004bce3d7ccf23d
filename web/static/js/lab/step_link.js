// Links to a step, such as `#step=12`.

const UPDATE_DELAY_MS = 300; // browsers limit how often the URL can be changed

/** Return the step in the URL, or null if there is none. */
export function parseStepLink() {
  const match = /^#step=(\d{1,15})$/.exec(location.hash);
  return match ? Number(match[1]) : null;
}

/**
 * Keep the clock and the step in the URL in sync.
 * @param {import("./clock.js").Clock} clock
 * @returns {() => void} called when the clock has changed
 */
export function syncUrl(clock) {
  addEventListener("hashchange", () => {
    const step = parseStepLink();
    if (step !== null) clock.go(clock.findPosition(step));
  });
  let timer = 0;
  return () => {
    clearTimeout(timer);
    if (clock.playing) return;
    timer = setTimeout(() => history.replaceState(null, "", `#step=${clock.number}`), UPDATE_DELAY_MS);
  };
}
