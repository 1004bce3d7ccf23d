// Giving the page to others: by the device's own sheet where it has one, else as a link to be pasted.

import { toClipboard } from "./clipboard.js";

const TOLD_MS = 2500;

export function setUpShare(root, words) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const button = part("share");
  const label = button.querySelector("span");
  const canShare = "share" in navigator;
  if (canShare) label.textContent = words.share;

  async function copy(place, text, done) {
    const before = (place.dataset.before ??= place.textContent);
    place.textContent = await toClipboard(text).then(() => done, () => words.not_copied);
    setTimeout(() => (place.textContent = before), TOLD_MS);
  }

  async function share() {
    if (!canShare) return copy(label, location.href, words.link_copied);
    try {
      await navigator.share({ title: document.title, url: location.href });
    } catch (error) {
      // Whoever closed the sheet wants nothing more.
      if (error.name !== "AbortError") await copy(label, location.href, words.link_copied);
    }
  }

  button.addEventListener("click", share);
  part("copy-frame").addEventListener("click", ({ currentTarget }) => copy(currentTarget.querySelector("span"), part("frame").value, words.copied));
  root.addEventListener("solution", ({ detail: moves }) => {
    const animated = moves.length <= Number(part("animation").dataset.most);
    part("animation").hidden = !animated;
    part("not-animated").hidden = animated;
  });
}
