// Export of the solution: a preview of the selected format, copying and downloading.

import { fill } from "../board/board_rendering.js";
import { copyToClipboard } from "./clipboard.js";

const PREVIEW_LENGTH = 1200;
const MAX_COPY_LENGTH = 5_000_000;

/** Fetch the beginning of a response: all of it, or a little more than `limit` characters. */
async function fetchBeginning(url, limit) {
  const control = new AbortController();
  const response = await fetch(url, { signal: control.signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length <= limit) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  control.abort();
  return text;
}

export function setUpSolutionExport(root, url, texts) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const format = part("format");
  const makeExportUrl = () => `${url}/solution?format=${format.value}&lang=${document.documentElement.lang}`;

  let moves = null;

  async function showSample() {
    part("download").href = `${makeExportUrl()}&download=true`;
    part("copied").textContent = "";
    const requested = format.value;
    const text = await makeSample(requested).catch((error) => fill(texts.no_moves, { reason: error.message }));
    if (requested === format.value) part("sample").textContent = text;
  }

  /** The letters are already loaded; other formats are fetched. */
  async function makeSample(requested) {
    const text = requested === "udlr" ? moves.formatLetters(PREVIEW_LENGTH + 1) : await fetchBeginning(makeExportUrl(), PREVIEW_LENGTH);
    return text.length > PREVIEW_LENGTH ? `${text.slice(0, PREVIEW_LENGTH)}…` : text;
  }

  async function copy() {
    try {
      const text = await fetchBeginning(makeExportUrl(), MAX_COPY_LENGTH);
      if (text.length > MAX_COPY_LENGTH) {
        part("copied").textContent = texts.too_long;
        return;
      }
      await copyToClipboard(text);
      part("copied").textContent = texts.copied;
    } catch {
      part("copied").textContent = texts.not_copied;
    }
  }

  format.addEventListener("change", showSample);
  root.addEventListener("solution", ({ detail }) => {
    moves = detail;
    showSample();
  });
  part("copy").addEventListener("click", copy);
}
