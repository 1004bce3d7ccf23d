// Exporting the solution: a sample of the chosen format, copying it, downloading it.

import { fill } from "../board/make_board.js";
import { lettersOf } from "../board/moves.js";

const SAMPLE_LENGTH = 1200;
const LONGEST_COPY = 5_000_000;

/** The first part of an answer, without fetching the rest of it. */
async function beginning(address) {
  const control = new AbortController();
  const answer = await fetch(address, { signal: control.signal });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length < SAMPLE_LENGTH) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  control.abort();
  return `${text.slice(0, SAMPLE_LENGTH)}…`;
}

/** Put text on the clipboard; also where the page is not served over a safe connection. */
async function toClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.className = "off-screen";
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? undefined : Promise.reject(new Error("copy"));
}

export function setUpFiles(root, address, words) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const format = part("format");
  const place = () => `${address}/solution?format=${format.value}&lang=${document.documentElement.lang}`;

  let moves = null;

  async function showSample() {
    part("download").href = `${place()}&download=true`;
    part("copied").textContent = "";
    const asked = format.value;
    const text = await sampleOf(asked).catch((error) => fill(words.no_moves, { reason: error.message }));
    if (asked === format.value) part("sample").textContent = text;
  }

  /** The letters are here already; everything else is asked for. */
  async function sampleOf(asked) {
    if (asked !== "udlr") return beginning(place());
    return lettersOf(moves, SAMPLE_LENGTH) + (moves.length > SAMPLE_LENGTH ? "…" : "");
  }

  async function copy() {
    try {
      const answer = await fetch(place());
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      const text = await answer.text();
      if (text.length > LONGEST_COPY) {
        part("copied").textContent = words.too_long;
        return;
      }
      await toClipboard(text);
      part("copied").textContent = words.copied;
    } catch {
      part("copied").textContent = words.not_copied;
    }
  }

  async function share() {
    const label = part("share").querySelector("span");
    const before = (label.dataset.before ??= label.textContent);
    label.textContent = await toClipboard(location.href).then(() => words.link_copied, () => words.not_copied);
    setTimeout(() => (label.textContent = before), 2500);
  }

  format.addEventListener("change", showSample);
  root.addEventListener("solution", ({ detail }) => {
    moves = detail;
    showSample();
  });
  part("copy").addEventListener("click", copy);
  part("share").addEventListener("click", share);
}
