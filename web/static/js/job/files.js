// Exporting the solution: a sample of the chosen format, copying it, downloading it.

import { fill } from "../board/make_board.js";
import { toClipboard } from "./clipboard.js";

const SAMPLE_LENGTH = 1200;
const LONGEST_COPY = 5_000_000;

/** The first part of an answer, without fetching the rest of it; more than `most` where there is more. */
async function beginning(address, most) {
  const control = new AbortController();
  const answer = await fetch(address, { signal: control.signal });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length <= most) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  control.abort();
  return text;
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
    const text = asked === "udlr" ? moves.letters(SAMPLE_LENGTH + 1) : await beginning(place(), SAMPLE_LENGTH);
    return text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text;
  }

  async function copy() {
    try {
      const text = await beginning(place(), LONGEST_COPY);
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

  format.addEventListener("change", showSample);
  root.addEventListener("solution", ({ detail }) => {
    moves = detail;
    showSample();
  });
  part("copy").addEventListener("click", copy);
}
