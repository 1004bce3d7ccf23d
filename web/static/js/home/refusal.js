// The one place that says why something was not done. It stays until the form is changed, whatever
// is checked meanwhile; a refusal of the server's is there already when the page comes.

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
