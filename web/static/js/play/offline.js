// Makes the play page available offline if the browser supports service workers.

const WORKER = "/play/offline.js";
const SCOPE = "/play";

/** Register the service worker; if that fails, the page works only online. */
export async function registerOfflineWorker() {
  try {
    await navigator.serviceWorker?.register(WORKER, { scope: SCOPE });
  } catch {
    // Some browsers do not allow it in private windows.
  }
}
