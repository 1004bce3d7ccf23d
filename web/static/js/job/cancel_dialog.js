// The confirmation before a job is cancelled.

import { fill } from "../board/board_rendering.js";

export function setUpCancelDialog(root, url, texts, onCancelled) {
  const button = root.querySelector('[data-part="cancel"]');
  const dialog = root.querySelector('[data-part="cancel-dialog"]');
  if (!button || !dialog) return;
  for (const opener of [button, root.querySelector('[data-part="silence-stop"]')]) {
    opener.addEventListener("click", () => {
      dialog.returnValue = "";
      dialog.showModal();
    });
  }
  dialog.addEventListener("close", async () => {
    if (dialog.returnValue !== "stop") return;
    button.disabled = true;
    try {
      const response = await fetch(`${url}?brief=true`, { method: "DELETE" });
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      onCancelled();
    } catch (error) {
      button.disabled = false;
      const message = root.querySelector('[data-part="message"]');
      message.textContent = fill(texts.not_cancelled, { reason: error.message });
      message.hidden = false;
    }
  });
}
