// Access to the clipboard.

/** Copy text to the clipboard, even if the page is not served over HTTPS. */
export async function copyToClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.className = "off-screen";
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied ? undefined : Promise.reject(new Error("copy"));
}
