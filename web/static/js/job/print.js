// The sheet's button; without a script it is away, and the browser's own menu prints.

document.querySelector('[data-part="print"]').addEventListener("click", () => window.print());
