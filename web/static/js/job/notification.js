// A browser notification when the job ends, while the page is open.

import { fill } from "../board/board_rendering.js";

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
 * @param {HTMLElement} root
 * @param {object} texts
 * @param {() => void} onRequested called when the page must follow the job in the background
 * @returns {(view: object, over: boolean) => void} called with each view
 */
export function setUpNotification(root, texts, onRequested) {
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
      button.querySelector("span").textContent = texts.notice_refused;
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
    const title = fill(texts.notice_title, { board: root.dataset.pageTitle, state: texts.states[view.state] });
    const body = root.querySelector('[data-part="verdict"]').textContent;
    const notification = new Notification(title, { body, tag: view.id, icon: document.querySelector('link[rel="icon"]').href });
    notification.addEventListener("click", () => window.focus());
  };
}
