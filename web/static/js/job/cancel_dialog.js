// The confirmation before a job is cancelled.

import { fill } from "../board/board_rendering.js";

export function setUpCancelDialog(root, url, texts, onCancelled) {
  const form = root.querySelector('[data-part="cancel"]');
  const dialog = root.querySelector('[data-part="cancel-dialog"]');
  if (!form || !dialog) return;
  const openDialog = (event) => {
    event.preventDefault();
    dialog.returnValue = "";
    dialog.showModal();
  };
  form.addEventListener("submit", openDialog);
  root.querySelector('[data-part="silence-stop"]').addEventListener("click", openDialog);
  dialog.addEventListener("close", async () => {
    if (dialog.returnValue !== "stop") return;
    try {
      const response = await fetch(`${url}?brief=true`, { method: "DELETE" });
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      onCancelled();
    } catch (error) {
      const message = root.querySelector('[data-part="message"]');
      message.textContent = fill(texts.not_cancelled, { reason: error.message });
      message.hidden = false;
    }
  });
}
