// Refreshes parts of the page; their data attributes give the URL and the interval.

function scheduleRefresh(part) {
  if (part.dataset.refresh) setTimeout(refresh, 1000 * part.dataset.refreshSeconds, part);
}

async function refresh(part) {
  // Do not replace a part while the visitor has a menu open in it.
  const isMenuOpen = () => part.querySelector(".entry-more[open]") !== null;
  let newPart = isMenuOpen() ? null : await fetchPart(part);
  if (isMenuOpen()) newPart = null;
  if (newPart) {
    const oldDetails = part.querySelectorAll("details");
    newPart.querySelectorAll("details").forEach((details, index) => (details.open ||= oldDetails[index]?.open));
    part.replaceWith(newPart);
    document.dispatchEvent(new Event("refreshed"));
  }
  scheduleRefresh(newPart ?? part);
}

async function fetchPart(part) {
  try {
    const response = await fetch(part.dataset.refresh);
    if (!response.ok) return null;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const newPart = page.getElementById(part.id);
    if (!newPart) location.reload();
    return newPart;
  } catch {
    // The server is temporarily unreachable.
    return null;
  }
}

document.querySelectorAll("[data-refresh]").forEach(scheduleRefresh);
