// The step in the page's address, as in `#step=12`: whoever gets it sees the same step.

const SETTLED_MS = 300; // a browser lets an address be changed some three times a second

/** The step that the address names; null where it names none. */
export function linkedStep() {
  const found = /^#step=(\d{1,15})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/**
 * Go where the address leads when it is changed by hand, and have it follow the clock.
 * @param {import("./clock.js").Clock} clock
 * @returns {() => void} to be called when the clock has changed
 */
export function followAddress(clock) {
  addEventListener("hashchange", () => {
    const step = linkedStep();
    if (step !== null) clock.go(clock.placeOf(step));
  });
  let due = 0;
  return () => {
    clearTimeout(due);
    if (clock.playing) return;
    due = setTimeout(() => history.replaceState(null, "", `#step=${clock.number}`), SETTLED_MS);
  };
}
