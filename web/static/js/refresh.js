// Refreshes parts of the page; their data attributes give the URL and the interval. The focus, open details,
// unsent choices and scroll positions are kept. Times are shown in the visitor's time zone.

const KEYS = ["id", "href", "aria-label", "aria-labelledby"];
const times = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

function scheduleRefresh(part) {
  if (part.dataset.refresh) setTimeout(refresh, 1000 * part.dataset.refreshSeconds, part);
}

async function refresh(part) {
  // Do not replace a part while the visitor is in a field.
  const isInUse = () => part.querySelector("select:focus, input:focus") !== null;
  let newPart = isInUse() ? null : await fetchPart(part);
  if (isInUse()) newPart = null;
  if (newPart) {
    replace(part, newPart);
    showLocalTimes();
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

function replace(part, newPart) {
  const focused = part.querySelector(":focus");
  const scrolled = [...part.querySelectorAll(".table-scroll")].map((region) => [region, region.scrollLeft]);
  for (const summary of part.querySelectorAll("details[open] > summary")) {
    const newSummary = findCounterpart(summary, newPart);
    if (newSummary) newSummary.parentElement.open = true;
  }
  for (const select of part.querySelectorAll("select")) {
    const newSelect = findCounterpart(select, newPart);
    if (newSelect && [...newSelect.options].some(({ value }) => value === select.value)) newSelect.value = select.value;
  }
  part.replaceWith(newPart);
  for (const [region, left] of scrolled) findCounterpart(region, newPart)?.scrollTo({ left });
  if (focused) findCounterpart(focused, newPart)?.focus({ preventScroll: true });
}

/** Return the element of the new part that corresponds to one of the old part, or null. */
function findCounterpart(element, newPart) {
  const key = KEYS.find((name) => element.hasAttribute(name));
  return key ? newPart.querySelector(`${element.localName}[${key}="${CSS.escape(element.getAttribute(key))}"]`) : null;
}

function showLocalTimes() {
  for (const element of document.querySelectorAll("time[datetime]")) {
    element.textContent = times.format(new Date(element.dateTime));
  }
}

showLocalTimes();
document.querySelectorAll("[data-refresh]").forEach(scheduleRefresh);
