"""The rules of WCAG 2.2 A and AA that axe-core can check."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

MIN_RULES = 15  # fewer would mean that nothing was checked
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    # Passed rules are only counted, because describing them takes most of the time.
    "resultTypes": ["violations"],
    "selectors": False,
}
_RUN = """async (options) => {
  const animations = document.getAnimations();
  const finite = animations.filter(({ effect }) => effect.getTiming().iterations !== Infinity);
  await Promise.allSettled(finite.map(({ finished }) => finished));
  const { passes, violations } = await axe.run(options);
  return {
    passed: passes.length,
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
  };
}"""


def find_violations(page: Page) -> list[str]:
    """Return the violated rules, each with its element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    report = page.evaluate(_RUN, OPTIONS)
    assert report["passed"] > MIN_RULES
    return list(report["violations"])
