// Saves the form's content for this tab: it is restored when the page is reloaded, revisited by the back
// button, or switched to another language. A newly opened page starts empty.

const NAME = "tilework-form";

export class Draft {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    for (const kind of ["input", "change", "check"]) form.addEventListener(kind, () => this.#save());
    document.querySelector(".languages")?.addEventListener("submit", () => this.#save(true));
  }

  /** Restore the form's saved content; returns false if there is none to restore. */
  restore() {
    const saved = readDraft();
    const [{ type }] = performance.getEntriesByType("navigation");
    const isRevisited = type === "reload" || type === "back_forward" || saved?.switched;
    if (!isRevisited || saved?.search !== location.search) return false;
    for (const [name, value] of Object.entries(saved.fields)) {
      const field = this.form.elements.namedItem(name);
      if (field) field.value = value;
    }
    this.#save();
    return true;
  }

  #save(switched = false) {
    const { search } = location;
    const fields = Object.fromEntries(new FormData(this.form));
    try {
      sessionStorage.setItem(NAME, JSON.stringify({ search, fields, switched }));
    } catch {
      // Storage is full or not allowed: the page works without it.
    }
  }
}

function readDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
}
