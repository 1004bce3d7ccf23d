// The clipboard.

/** Put text on the clipboard; also where the page is not served over a safe connection. */
export async function toClipboard(text) {
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
