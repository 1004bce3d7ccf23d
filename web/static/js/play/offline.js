// Makes the play page available offline if the browser supports service workers.

const WORKER = "/play/offline.js";
const SCOPE = "/play";

/** Register the service worker; if the browser refuses, the page works online only. */
export async function registerOfflineWorker() {
  try {
    await navigator.serviceWorker?.register(WORKER, { scope: SCOPE });
  } catch {
    // Some browsers refuse in private windows.
  }
}
