// "Tell me when it ends": a notification of the browser, as long as the page is open.

import { fill } from "../board/make_board.js";

/** Whether the page itself may make one: mobile browsers have the name alone, and throw. */
function available() {
  if (!("Notification" in window) || Notification.permission === "denied") return false;
  if (Notification.permission === "granted") return true;
  try {
    new Notification(""); // without permission nothing is shown
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {HTMLElement} root
 * @param {object} words
 * @param {() => void} onSet the page is to follow the job in the background from now on
 * @returns {(view: object, over: boolean) => void} to be called with each view
 */
export function setUpNotice(root, words, onSet) {
  const button = root.querySelector('[data-part="notice"]');
  let wanted = false;

  async function choose() {
    if (wanted) {
      mark(false);
      return;
    }
    if ((await Notification.requestPermission()) === "granted") {
      mark(true);
      onSet();
    } else if (Notification.permission === "denied") {
      button.querySelector("span").textContent = words.notice_refused;
      button.disabled = true;
    }
  }

  function mark(set) {
    wanted = set;
    button.setAttribute("aria-pressed", set);
  }

  button.addEventListener("click", choose);
  const can = available();
  return (view, over) => {
    button.hidden = over || !can;
    if (!over || !wanted) return;
    wanted = false;
    const title = fill(words.notice_title, { board: root.dataset.pageTitle, state: words.states[view.state] });
    const body = root.querySelector('[data-part="verdict"]').textContent;
    const told = new Notification(title, { body, tag: view.id, icon: document.querySelector('link[rel="icon"]').href });
    told.addEventListener("click", () => window.focus());
  };
}
