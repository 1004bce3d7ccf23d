// Buttons that copy the page's URL or print the page.

import { copyFromButton } from "./export.js";

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy-link]");
  if (button) copyFromButton(button, location.href, button.dataset.copied, button.dataset.failed);
  if (target.closest('[data-part="print"]')) window.print();
});
