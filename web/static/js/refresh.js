// Refreshes parts of the page; their data attributes give the URL and the interval.

function scheduleRefresh(part) {
  if (part.dataset.refresh) setTimeout(refresh, 1000 * part.dataset.refreshSeconds, part);
}

async function refresh(part) {
  // Do not replace a part while the visitor has a menu open in it.
  const isMenuOpen = () => part.querySelector(".entry-more[open]") !== null;
  let fresh = isMenuOpen() ? null : await fetchPart(part);
  if (isMenuOpen()) fresh = null;
  if (fresh) {
    const before = part.querySelectorAll("details");
    fresh.querySelectorAll("details").forEach((one, place) => (one.open ||= before[place]?.open));
    part.replaceWith(fresh);
    document.dispatchEvent(new Event("refreshed"));
  }
  scheduleRefresh(fresh ?? part);
}

async function fetchPart(part) {
  try {
    const response = await fetch(part.dataset.refresh);
    if (!response.ok) return null;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById(part.id);
    if (!fresh) location.reload();
    return fresh;
  } catch {
    // The server is temporarily unreachable.
    return null;
  }
}

document.querySelectorAll("[data-refresh]").forEach(scheduleRefresh);
