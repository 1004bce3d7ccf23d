// The sheet's button: without a script the browser's own menu prints.

const button = document.querySelector('[data-part="print"]');
button.hidden = false;
button.addEventListener("click", () => window.print());
