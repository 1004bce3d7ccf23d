// The service worker: caches the page and its files for offline use. The server prepends VERSION and FILES.
//
// The page is fetched from the network first, so that it is never stale while online. Its files have a hash
// in their URL. The worker ignores all other requests, and no other page is in its scope.

/* global FILES, VERSION */

const PAGE = "/play"; // also that of the daily puzzles, which its script recognises by the query
const PREFIX = "tilework-play-files-";
const STORE = PREFIX + VERSION;

addEventListener("install", (event) => {
  const page = new Request(PAGE, { cache: "no-cache" });
  event.waitUntil(caches.open(STORE).then((store) => store.addAll([page, ...FILES])).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname === PAGE && request.mode === "navigate") event.respondWith(respondWithPage(event));
  else if (FILES.includes(pathname)) event.respondWith(respondWithFile(request));
});

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== STORE).map((name) => caches.delete(name)));
}

async function matchCached(request) {
  return (await caches.open(STORE)).match(request, { ignoreVary: true });
}

async function respondWithPage(event) {
  try {
    const response = await fetch(event.request);
    event.waitUntil(updateLanguage(response.headers.get("Content-Language")));
    return response;
  } catch (error) {
    const page = await matchCached(PAGE);
    if (!page) throw error;
    return page;
  }
}

/** Update the cached page, which contains no board, when the visitor changes the language. */
async function updateLanguage(language) {
  const cached = await matchCached(PAGE);
  if (cached?.headers.get("Content-Language") === language) return;
  const response = await fetch(PAGE, { cache: "no-cache" });
  if (response.ok) await (await caches.open(STORE)).put(PAGE, response);
}

/** A file never changes, because its URL contains a hash. */
async function respondWithFile(request) {
  return (await matchCached(request)) ?? fetch(request);
}
