// The one place that says why something was not done. It stays until the form is changed, whatever
// is checked meanwhile; an error from the server is already there when the page is loaded.

export class Refusal {
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
