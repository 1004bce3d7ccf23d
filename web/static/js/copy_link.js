// Buttons that copy the address of the page.

import { copyToClipboard } from "./job/clipboard.js";

const MESSAGE_MS = 2500;

for (const button of document.querySelectorAll("[data-copy-link]")) {
  const label = button.querySelector("span");
  const before = label.textContent;
  button.addEventListener("click", async () => {
    const { copied, failed } = button.dataset;
    label.textContent = await copyToClipboard(location.href).then(() => copied, () => failed);
    setTimeout(() => (label.textContent = before), MESSAGE_MS);
  });
}
