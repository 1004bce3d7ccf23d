// Keeps a part of the page up to date: it says where it is fetched anew, and after how many seconds.

function refreshLater(part) {
  if (part.dataset.refresh) setTimeout(refresh, 1000 * part.dataset.refreshSeconds, part);
}

async function refresh(part) {
  // Not under the hands of who has opened something in it.
  const held = () => part.querySelector("details[open]") !== null;
  let fresh = held() ? null : await fetched(part);
  if (held()) fresh = null;
  if (fresh) {
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
    return page.getElementById(part.id);
  } catch {
    // The server is away for a moment.
    return null;
  }
}

document.querySelectorAll("[data-refresh]").forEach(refreshLater);
