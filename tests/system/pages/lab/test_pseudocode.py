from collections import Counter

from playwright.sync_api import Locator, expect

from tests.system.browser import OpenPage
from tests.system.pages.scripts import resolve_scripts
from tests.system.pages.steps import METHODS, make_trace, method_part, panel, read_traces, watch
from tilework.core.lab.methods import LabAlgorithm
from tilework.core.puzzle.board import Board

FIND_MOMENTS = resolve_scripts("""async ([traces, exhausted]) => {
  const { SearchTree } = await import("SCRIPTS/lab/search_tree.js");
  const { findMoment } = await import("SCRIPTS/lab/moments.js");
  return traces.map((trace) => {
    const tree = new SearchTree(trace);
    const findAt = (position, over) => {
      const step = !over && position > 0 ? tree.steps[position - 1] : null;
      const clock = { position, step, over, exhausted, selectedNode: null };
      const { current, counts } = findMoment(tree, clock);
      return { current, counts: Object.fromEntries(counts) };
    };
    const steps = tree.steps.map((_, index) => findAt(index + 1, false));
    return { start: findAt(0, false), steps, end: findAt(tree.steps.length, true) };
  });
}""")


def find_current_line(method: Locator) -> Locator:
    return method.locator(".code-line[aria-current=step] .code-text")


def test_every_step_highlights_the_line_of_the_trace(open_page: OpenPage, web: str) -> None:
    page = open_page("/statistics", base_url=web)
    documents = [make_trace(name) for name in LabAlgorithm]
    all_lines = page.evaluate(FIND_MOMENTS, [documents, False])
    for name, trace, lines in zip(LabAlgorithm, documents, all_lines, strict=True):
        assert lines["start"] == {"current": "start", "counts": {}}
        assert len(lines["steps"]) == len(trace["steps"])
        for step, moment in zip(trace["steps"], lines["steps"], strict=True):
            is_restart = step["parent"] is None and not step["backward"] and step["number"] > 1
            assert moment["current"] == ("again" if is_restart else "expand"), name
            counts = Counter(child["outcome"] for child in step["children"])
            assert {outcome: moment["counts"].get(outcome, 0) for outcome in counts} == counts, name
        assert lines["end"]["current"] == ("goal" if trace["path"] else None), name

    trace = make_trace(LabAlgorithm.BREADTH_FIRST, Board([1, 2, 3, 5, 4, 0], 3, 2))
    assert page.evaluate(FIND_MOMENTS, [[trace], True])[0]["end"]["current"] == "exhausted"
    # The line that undoes moves is highlighted.
    trace = make_trace(LabAlgorithm.DEPTH_FIRST_RECURSIVE, Board([0, 1, 2, 3, 5, 4], 3, 2))
    lines = page.evaluate(FIND_MOMENTS, [[trace], True])[0]["steps"]
    for previous, step, moment in zip(trace["steps"], trace["steps"][1:], lines[1:], strict=False):
        assert ("back" in moment["counts"]) == (step["parent"] != previous["node"])


def test_line_follows_the_clock(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page)
    a_star, breadth_first = (panel(page, title) for title in METHODS)
    expect(find_current_line(a_star)).to_have_text("for each successor:")
    page.keyboard.press("Home")
    expect(find_current_line(a_star)).to_have_text("add the start to the frontier")
    page.keyboard.press("End")
    expect(find_current_line(a_star)).to_have_text("if it is the goal: done")
    expect(find_current_line(breadth_first)).to_have_text("if it is the goal: done")
    page.keyboard.press("Home")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    step = read_traces(page)[0]["steps"][4]
    new_count = sum(child["outcome"] == "new" for child in step["children"])
    line = a_star.locator(".code-line", has_text="add it to the frontier")
    expect(line.locator(".code-count")).to_have_text(f"× {new_count}" if new_count > 1 else "")
    a_star.locator(".child-duplicate").first.click()
    expect(find_current_line(a_star)).to_have_text(
        "if its board was already reached by an equally short or shorter path: discard it"
    )
    method_part(a_star, "to-step").click()
    expect(find_current_line(a_star)).to_have_text("for each successor:")
