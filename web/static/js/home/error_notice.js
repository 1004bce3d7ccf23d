// The error notice of a form. It stays until the form is changed; the server can render an error into it.

export class ErrorNotice {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.place = document.getElementById("refusal");
    for (const kind of ["input", "change", "check"]) form.addEventListener(kind, () => this.place.replaceChildren());
  }

  show(message) {
    const notice = document.createElement("div");
    notice.className = "notice notice-bad";
    notice.appendChild(document.createElement("p")).textContent = message;
    this.place.replaceChildren(notice);
  }
}
