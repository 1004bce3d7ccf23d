// Keeps a part of the page up to date: it says where it is fetched anew, and after how many seconds.

function refreshLater(part) {
  if (part.dataset.refresh) setTimeout(refresh, 1000 * part.dataset.refreshSeconds, part);
}

async function refresh(part) {
  // Not under the hands of who has opened a menu in it.
  const held = () => part.querySelector(".entry-more[open]") !== null;
  let fresh = held() ? null : await fetched(part);
  if (held()) fresh = null;
  if (fresh) {
    const before = part.querySelectorAll("details");
    fresh.querySelectorAll("details").forEach((one, place) => (one.open ||= before[place]?.open));
    part.replaceWith(fresh);
    document.dispatchEvent(new Event("refreshed"));
  }
  refreshLater(fresh ?? part);
}

async function fetched(part) {
  try {
    const answer = await fetch(part.dataset.refresh);
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(part.id);
    if (!fresh) location.reload();
    return fresh;
  } catch {
    // The server is away for a moment.
    return null;
  }
}

document.querySelectorAll("[data-refresh]").forEach(refreshLater);
