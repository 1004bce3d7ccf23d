// The share button: opens the device's share dialog if it has one, otherwise copies the link.

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
    if (!canShare) return copy(label, location.href, words.link_copied);
    try {
      await navigator.share({ title: document.title, url: location.href });
    } catch (error) {
      // An AbortError means that the visitor closed the dialog.
      if (error.name !== "AbortError") await copy(label, location.href, words.link_copied);
    }
  }

  button.addEventListener("click", share);
  part("copy-frame").addEventListener("click", ({ currentTarget }) => copy(currentTarget.querySelector("span"), part("frame").value, words.copied));
  root.addEventListener("solution", ({ detail: moves }) => {
    const canAnimate = moves.length <= Number(part("animation").dataset.most);
    part("animation").hidden = !canAnimate;
    part("not-animated").hidden = canAnimate;
  });
}
