// Access to the clipboard.

/** Copy text to the clipboard, also if the page is not served over HTTPS. */
export async function copyToClipboard(text) {
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
