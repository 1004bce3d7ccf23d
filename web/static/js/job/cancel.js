// Cancelling asks first; a search of hours is not ended by accident.

import { fill } from "../board/make_board.js";

export function setUpCancel(root, address, words, onCancelled) {
  const button = root.querySelector('[data-part="cancel"]');
  const dialog = root.querySelector('[data-part="cancel-dialog"]');
  if (!button || !dialog) return;
  button.addEventListener("click", () => {
    dialog.returnValue = "";
    dialog.showModal();
  });
  dialog.addEventListener("close", async () => {
    if (dialog.returnValue !== "stop") return;
    button.disabled = true;
    try {
      const answer = await fetch(`${address}?brief=true`, { method: "DELETE" });
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      onCancelled();
    } catch (error) {
      button.disabled = false;
      const message = root.querySelector('[data-part="message"]');
      message.textContent = fill(words.not_cancelled, { reason: error.message });
      message.hidden = false;
    }
  });
}
