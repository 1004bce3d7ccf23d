// The error notice of a form. It stays until the form is changed; the server can render an error into it.

export class ErrorNotice {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.container = document.getElementById("form-error");
    for (const kind of ["input", "change", "check"]) form.addEventListener(kind, () => this.container.replaceChildren());
  }

  show(message) {
    const notice = document.createElement("div");
    notice.className = "notice notice-bad";
    notice.appendChild(document.createElement("p")).textContent = message;
    this.container.replaceChildren(notice);
  }
}
