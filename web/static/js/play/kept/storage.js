// What the page keeps in the browser, as JSON. A browser that keeps nothing is played in all the same.

const PREFIX = "tilework.play.";

/** What was kept under a name; null where there is nothing, or nothing that can be read. */
export function readKept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

/** Keep a value; false where the browser refuses. */
export function writeKept(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
