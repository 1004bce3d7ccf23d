// Plays on without a network, where the browser lets pages have a worker of their own.

const WORKER = "/play/offline.js";
const SCOPE = "/play";

/** Register the worker; a browser that refuses plays with a network only. */
export async function playOffline() {
  try {
    await navigator.serviceWorker?.register(WORKER, { scope: SCOPE });
  } catch {
    // Refused, as in private windows of some browsers.
  }
}
