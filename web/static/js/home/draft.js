// The form as it was, for this tab alone: after the page is loaded again, after a way back to it, and
// after the switch between languages. A newly opened page starts from scratch.

const NAME = "tilework-form";

export class Draft {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    for (const kind of ["input", "change", "check"]) form.addEventListener(kind, () => this.#keep());
    document.querySelector(".languages")?.addEventListener("submit", () => this.#keep(true));
  }

  /** Fill the form with what is kept for this page; false where nothing is to be filled in. */
  restore() {
    const kept = read();
    const [{ type }] = performance.getEntriesByType("navigation");
    const again = type === "reload" || type === "back_forward" || kept?.switched;
    if (!again || kept?.search !== location.search) return false;
    for (const [name, value] of Object.entries(kept.fields)) {
      const field = this.form.elements.namedItem(name);
      if (field) field.value = value;
    }
    this.#keep();
    return true;
  }

  #keep(switched = false) {
    const { search } = location;
    const fields = Object.fromEntries(new FormData(this.form));
    try {
      sessionStorage.setItem(NAME, JSON.stringify({ search, fields, switched }));
    } catch {
      // No room, or storage is not allowed: the page works without.
    }
  }
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
}
