// Tabs, as in the ARIA practices: only the selected one can be reached by Tab, and the arrow keys select others.

const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** @param {HTMLElement} list with the role `tablist` */
export function setUpTabs(list) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];

  function select(selected) {
    for (const tab of tabs) {
      const isSelected = tab === selected;
      tab.ariaSelected = isSelected;
      tab.tabIndex = isSelected ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).classList.toggle("tab-shown", isSelected);
    }
  }

  list.addEventListener("click", ({ target }) => tabs.includes(target) && select(target));
  list.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    event.stopPropagation(); // these keys also move the player
    const shown = tabs.filter(({ hidden }) => !hidden);
    const index = shown.indexOf(event.target) + STEPS[event.key];
    const next = shown[Number.isFinite(index) ? (index + shown.length) % shown.length : index < 0 ? 0 : shown.length - 1];
    select(next);
    next.focus();
  });
  select(tabs.find((tab) => tab.ariaSelected === "true"));
}
