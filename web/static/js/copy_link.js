// Buttons that copy the page's URL.

import { copyToClipboard } from "./job/clipboard.js";

const MESSAGE_MS = 2500;

for (const button of document.querySelectorAll("[data-copy-link]")) {
  const label = button.querySelector("span");
  const originalText = label.textContent;
  button.addEventListener("click", async () => {
    const { copied, failed } = button.dataset;
    label.textContent = await copyToClipboard(location.href).then(() => copied, () => failed);
    setTimeout(() => (label.textContent = originalText), MESSAGE_MS);
  });
}
