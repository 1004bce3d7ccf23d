// What the visitor can do with a job: share it, export its solution, stop it, be notified of its end.

import { copyFromButton, copyToClipboard } from "../export.js";
import { gettext } from "../texts.js";

/**
 * Set up the share buttons: the device's share dialog if it has one, otherwise the link is copied. One link opens the
 * solution, the other the move that the player shows.
 */
export function setUpShareButton(root) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const button = part("share");
  const canShare = "share" in navigator;
  if (canShare) button.querySelector("span").textContent = gettext("Share");
  const copy = (target, text, message) => copyFromButton(target, text, message, gettext("The browser did not allow copying."));

  async function share() {
    const [url] = location.href.split("#");
    if (!canShare) return copy(button, url, gettext("Link copied"));
    try {
      await navigator.share({ title: document.title, url });
    } catch (error) {
      // An AbortError means that the visitor closed the dialog.
      if (error.name !== "AbortError") await copy(button, url, gettext("Link copied"));
    }
  }

  button.addEventListener("click", share);
  part("share-move").addEventListener("click", ({ currentTarget }) => copy(currentTarget, location.href, gettext("Link copied")));
  part("copy-frame").addEventListener("click", ({ currentTarget }) => copy(currentTarget, part("frame").value, gettext("Copied.")));
  root.addEventListener("solution", () => part("animation")?.removeAttribute("hidden"));
}

// Export of the solution: a preview of the selected format, copying and downloading.

const PREVIEW_LENGTH = 1200;
const MAX_COPY_LENGTH = 5_000_000;

/** Fetch the beginning of a response: all of it, or a little more than `limit` characters. */
async function fetchBeginning(url, limit) {
  const control = new AbortController();
  const response = await fetch(url, { signal: control.signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length <= limit) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  control.abort();
  return text;
}

export function setUpSolutionExport(root, url) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const format = part("format");
  const makeExportUrl = () => `${url}/solution?format=${format.value}&lang=${document.documentElement.lang}`;

  let moves = null;

  async function showSample() {
    part("download").href = `${makeExportUrl()}&download=true`;
    part("copied").textContent = "";
    const requested = format.value;
    const text = await makeSample(requested).catch((error) => gettext("Could not load the solution: {reason}", { reason: error.message }));
    if (requested === format.value) part("sample").textContent = text;
  }

  /** The letters are already loaded; other formats are fetched. */
  async function makeSample(requested) {
    const text = requested === "udlr" ? moves.formatLetters(PREVIEW_LENGTH + 1) : await fetchBeginning(makeExportUrl(), PREVIEW_LENGTH);
    return text.length > PREVIEW_LENGTH ? `${text.slice(0, PREVIEW_LENGTH)}…` : text;
  }

  async function copy() {
    try {
      const text = await fetchBeginning(makeExportUrl(), MAX_COPY_LENGTH);
      if (text.length > MAX_COPY_LENGTH) {
        part("copied").textContent = gettext("Too long to copy; download it instead.");
        return;
      }
      await copyToClipboard(text);
      part("copied").textContent = gettext("Copied.");
    } catch {
      part("copied").textContent = gettext("The browser did not allow copying.");
    }
  }

  format.addEventListener("change", showSample);
  root.addEventListener("solution", ({ detail }) => {
    moves = detail;
    showSample();
  });
  part("copy").addEventListener("click", copy);
}

/** Stop the search without leaving the page. */
export function setUpStopButton(root, url, onStopped) {
  const form = root.querySelector('[data-part="cancel"]');
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const response = await fetch(`${url}?brief=true`, { method: "DELETE" });
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      onStopped();
    } catch (error) {
      const message = root.querySelector('[data-part="message"]');
      message.textContent = gettext("The search could not be stopped: {reason}", { reason: error.message });
      message.hidden = false;
    }
  });
}

// A browser notification when the job ends, while the page is open.

/** Whether the page can create notifications; mobile browsers define the constructor but throw. */
function canNotify() {
  if (!("Notification" in window) || Notification.permission === "denied") return false;
  if (Notification.permission === "granted") return true;
  try {
    new Notification(""); // without permission, nothing is shown
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {() => void} onRequested called when the page must follow the job in the background
 * @returns {(view: object, over: boolean) => void} called with each view
 */
export function setUpNotification(root, onRequested) {
  const button = root.querySelector('[data-part="notice"]');
  let isRequested = false;

  async function toggle() {
    if (isRequested) {
      setRequested(false);
      return;
    }
    if ((await Notification.requestPermission()) === "granted") {
      setRequested(true);
      onRequested();
    } else if (Notification.permission === "denied") {
      button.querySelector("span").textContent = gettext("Notifications are blocked by the browser.");
      button.disabled = true;
    }
  }

  function setRequested(value) {
    isRequested = value;
    button.setAttribute("aria-pressed", value);
  }

  button.addEventListener("click", toggle);
  const isSupported = canNotify();
  return (view, over) => {
    button.hidden = over || !isSupported;
    if (!over || !isRequested) return;
    isRequested = false;
    const title = gettext("{board}: {state}", { board: root.dataset.pageTitle, state: JSON.parse(root.dataset.states)[view.state] });
    const body = root.querySelector('[data-part="verdict"]').textContent;
    const notification = new Notification(title, { body, tag: view.id, icon: document.querySelector('link[rel="icon"]').href });
    notification.addEventListener("click", () => window.focus());
  };
}
