// Hands content to the visitor: on the clipboard or as a file.

import { make } from "./elements.js";

const MESSAGE_MS = 2500;
const REVOKE_DELAY_MS = 10_000;

/** Copy text to the clipboard, even if the page is not served over HTTPS. */
export async function copyToClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.body.appendChild(make("textarea", { className: "off-screen", value: text }));
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied ? undefined : Promise.reject(new Error("copy"));
}

/** Copy text when a button is clicked, and say in its label for a moment whether that worked. */
export async function copyFromButton(button, text, copied, failed) {
  const label = button.querySelector("span");
  const originalText = (label.dataset.originalText ??= label.textContent);
  label.textContent = await copyToClipboard(text).then(() => copied, () => failed);
  setTimeout(() => (label.textContent = originalText), MESSAGE_MS);
}

export function saveFile(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_DELAY_MS);
}
