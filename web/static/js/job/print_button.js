// The print button of the print view.

document.querySelector('[data-part="print"]').addEventListener("click", () => window.print());
