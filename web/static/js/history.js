// The list is brought up to date by itself, but not under the hands of who is naming an entry.

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.querySelector(".entry-more[open]")) event.preventDefault();
});
