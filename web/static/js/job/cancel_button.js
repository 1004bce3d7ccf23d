// The button that cancels a search, which is removed at its end.

export function removeCancelButton(root) {
  const form = root.querySelector('[data-part="cancel"]');
  // The focus would be lost.
  if (form?.contains(document.activeElement)) document.getElementById("content").focus({ preventScroll: true });
  form?.remove();
}
