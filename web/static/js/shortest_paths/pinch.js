// Pinch gestures on a scrolling drawing.

/**
 * @param {HTMLElement} element
 * @param {(factor: number, x: number, y: number) => void} onPinch called with a point of the window
 */
export function watchPinch(element, onPinch) {
  let lastDistance = 0;
  const measure = ({ touches: [first, second] }) => ({
    distance: Math.max(1, Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY)),
    x: (first.clientX + second.clientX) / 2,
    y: (first.clientY + second.clientY) / 2,
  });
  element.addEventListener("touchstart", (event) => {
    if (event.touches.length === 2) lastDistance = measure(event).distance;
  }, { passive: true });
  element.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault(); // otherwise the whole page is zoomed
    const { distance, x, y } = measure(event);
    onPinch(distance / lastDistance, x, y);
    lastDistance = distance;
  }, { passive: false });
}
