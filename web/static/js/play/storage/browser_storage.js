// Values stored in the browser as JSON. The page also works if the browser does not allow storage.

const PREFIX = "tilework.play.";

/** Read a stored value; null if there is none or it is invalid. */
export function readStored(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

/** Store a value; returns false if the browser does not allow it. */
export function writeStored(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
