// Numbers as text. `pages/numbers.py` does the same on the server, and both are tested with the same table.

const language = document.documentElement.lang;
const THREE_DIGITS = { maximumSignificantDigits: 3 };
const MILLION = 999_500; // what is rounded to a million

const counts = new Intl.NumberFormat(language);
const digits = new Intl.NumberFormat(language, THREE_DIGITS);
const words = new Intl.NumberFormat(language, { ...THREE_DIGITS, notation: "compact", compactDisplay: "long" });
const shortWords = new Intl.NumberFormat(language, { notation: "compact" });
const percents = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
const ratios = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** Format a count with all its digits. */
export const formatNumber = (value) => counts.format(value);

/** Format a measured value with three digits, and from a million on with its word. */
export const formatRounded = (value) => (value < MILLION ? digits : words).format(value);

/** Format a count with the fewest characters, as on a narrow axis. */
export const formatShort = (value) => shortWords.format(value);

/** Format a fraction as a percentage with up to one decimal. */
export const formatPercent = (fraction) => percents.format(fraction);

/** Format a ratio with three decimals. */
export const formatRatio = (ratio) => ratios.format(ratio);
