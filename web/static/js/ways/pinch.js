// Two fingers on a drawing that scrolls: how far apart they go, and around which point.

/**
 * @param {HTMLElement} element
 * @param {(factor: number, x: number, y: number) => void} onPinch with a point of the window
 */
export function watchPinch(element, onPinch) {
  let apart = 0;
  const look = ({ touches: [one, other] }) => ({
    distance: Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)),
    x: (one.clientX + other.clientX) / 2,
    y: (one.clientY + other.clientY) / 2,
  });
  element.addEventListener("touchstart", (event) => {
    if (event.touches.length === 2) apart = look(event).distance;
  }, { passive: true });
  element.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault(); // else the whole page is zoomed
    const { distance, x, y } = look(event);
    onPinch(distance / apart, x, y);
    apart = distance;
  }, { passive: false });
}
