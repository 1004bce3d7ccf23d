// Buttons that copy the page's URL or print the page.

import { copyFromButton } from "./export.js";

for (const button of document.querySelectorAll("[data-copy-link]")) {
  const { copied, failed } = button.dataset;
  button.addEventListener("click", () => copyFromButton(button, location.href, copied, failed));
}
document.querySelector('[data-part="print"]')?.addEventListener("click", () => window.print());
