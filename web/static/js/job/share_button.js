// The share buttons: the device's share dialog if it has one, otherwise the link is copied. One link opens the
// solution, the other the move that the player shows.

import { copyToClipboard } from "./clipboard.js";

const MESSAGE_MS = 2500;

export function setUpShareButton(root, texts) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const button = part("share");
  const label = button.querySelector("span");
  const canShare = "share" in navigator;
  if (canShare) label.textContent = texts.share;

  async function copy(label, text, message) {
    const originalText = (label.dataset.originalText ??= label.textContent);
    label.textContent = await copyToClipboard(text).then(() => message, () => texts.not_copied);
    setTimeout(() => (label.textContent = originalText), MESSAGE_MS);
  }

  async function share() {
    const [url] = location.href.split("#");
    if (!canShare) return copy(label, url, texts.link_copied);
    try {
      await navigator.share({ title: document.title, url });
    } catch (error) {
      // An AbortError means that the visitor closed the dialog.
      if (error.name !== "AbortError") await copy(label, url, texts.link_copied);
    }
  }

  button.addEventListener("click", share);
  part("share-move").addEventListener("click", ({ currentTarget }) => copy(currentTarget.querySelector("span"), location.href, texts.link_copied));
  part("copy-frame").addEventListener("click", ({ currentTarget }) => copy(currentTarget.querySelector("span"), part("frame").value, texts.copied));
  root.addEventListener("solution", () => {
    part("animation").hidden = part("not-animated") !== null;
  });
}
