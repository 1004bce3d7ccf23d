// Keeps the page and its files for when there is no network. The server writes VERSION and FILES above.
//
// For the page the network is always asked first, so that it is never shown stale while there is one; its
// files have a hash in their address. Whatever else the page asks for goes past the worker, and no other
// page is in its scope.

/* global FILES, VERSION */

const PAGE = "/play";
const PREFIX = "tilework-play-files-";
const STORE = PREFIX + VERSION;

addEventListener("install", (event) => {
  const fresh = [PAGE, ...FILES].map((path) => new Request(path, { cache: "no-cache" }));
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(fresh)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(dropOthers().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname === PAGE && request.mode === "navigate") event.respondWith(page(event));
  else if (FILES.includes(pathname)) event.respondWith(file(request));
});

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== STORE).map((name) => caches.delete(name)));
}

async function kept(request) {
  return (await caches.open(STORE)).match(request, { ignoreVary: true });
}

async function page(event) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(keepLanguage(answer.headers.get("Content-Language")));
    return answer;
  } catch (error) {
    const page = await kept(PAGE);
    if (!page) throw error;
    return page;
  }
}

/** The kept page, which has no board in it, follows the visitor from language to language. */
async function keepLanguage(language) {
  const before = await kept(PAGE);
  if (before?.headers.get("Content-Language") === language) return;
  const answer = await fetch(PAGE, { cache: "no-cache" });
  if (answer.ok) await (await caches.open(STORE)).put(PAGE, answer);
}

/** Of what has a hash in its address there is one version only. */
async function file(request) {
  return (await kept(request)) ?? fetch(request);
}
