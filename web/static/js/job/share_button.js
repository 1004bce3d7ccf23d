// The share buttons: the device's share dialog if it has one, otherwise the link is copied. One link leads to the
// answer, the other to the move that the player shows.

import { copyToClipboard } from "./clipboard.js";

const MESSAGE_MS = 2500;

export function setUpShareButton(root, words) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const button = part("share");
  const label = button.querySelector("span");
  const canShare = "share" in navigator;
  if (canShare) label.textContent = words.share;

  async function copy(place, text, done) {
    const before = (place.dataset.before ??= place.textContent);
    place.textContent = await copyToClipboard(text).then(() => done, () => words.not_copied);
    setTimeout(() => (place.textContent = before), MESSAGE_MS);
  }

  async function share() {
    const [url] = location.href.split("#");
    if (!canShare) return copy(label, url, words.link_copied);
    try {
      await navigator.share({ title: document.title, url });
    } catch (error) {
      // An AbortError means that the visitor closed the dialog.
      if (error.name !== "AbortError") await copy(label, url, words.link_copied);
    }
  }

  button.addEventListener("click", share);
  part("share-move").addEventListener("click", ({ currentTarget }) => copy(currentTarget.querySelector("span"), location.href, words.link_copied));
  part("copy-frame").addEventListener("click", ({ currentTarget }) => copy(currentTarget.querySelector("span"), part("frame").value, words.copied));
  root.addEventListener("solution", () => {
    part("animation").hidden = part("not-animated") !== null;
  });
}
