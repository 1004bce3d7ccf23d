// Formats the times of games.

const secondsFormat = new Intl.NumberFormat(document.documentElement.lang, { minimumIntegerDigits: 2, minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Format milliseconds as `1:05.3`, with hours if necessary; truncated to tenths. */
export function formatClock(ms) {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  const secondsText = secondsFormat.format((tenths % 600) / 10);
  if (minutes < 60) return `${minutes}:${secondsText}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${secondsText}`;
}
