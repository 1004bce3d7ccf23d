// Hands content to the visitor: on the clipboard or as a file.

const MESSAGE_MS = 2500;
const REVOKE_DELAY_MS = 10_000;

/** Copy text to the clipboard, even if the page is not served over HTTPS. */
export async function copyToClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.className = "off-screen";
  area.value = text;
  document.body.append(area);
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

/** @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_DELAY_MS);
}
