// Texts in the page's language. They are written in English where they are used; the page has the translations of
// those in its scripts.

import { formatNumber } from "./numbers.js";

const translations = JSON.parse(document.querySelector("[data-texts]")?.dataset.texts ?? "{}");

/** Replace the {names} in a template with values. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (placeholder, name) => (name in values ? String(values[name]) : placeholder));
}

/** Translate a text, and fill in values. */
export function gettext(text, values = {}) {
  return fill(translations[text] ?? text, values);
}

/** Translate a number with its noun; as on the server, only 1 has the singular. */
export function ngettext(singular, plural, count) {
  return gettext(count === 1 ? singular : plural, { count: formatNumber(count) });
}
