import re
from xml.etree import ElementTree

from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.steps import METHODS, method_part, panel, position_label, watch
from tests.system.pages.visitor import download

SVG = "{http://www.w3.org/2000/svg}"


def test_missing_steps_are_reported(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page, first="30", last="5")
    first, second = (panel(page, title) for title in METHODS)
    expect(method_part(first, "gaps")).to_have_text("Steps 31 to 53 were not recorded.")
    expect(method_part(second, "gaps")).to_have_text("Steps 31 to 1,660 were not recorded.")
    page.locator("#scrub").fill("31")
    expect(position_label(page)).to_have_text("Step 54 of 1,665")
    expect(method_part(first, "node-description")).to_have_text("Expanded in step 54")
    note = "Step 54 was not recorded; showing step 30."
    expect(method_part(second, "step-note")).to_have_text(note)
    page.get_by_role("button", name="Go to end").click()
    expect(method_part(first, "step-note")).to_have_text("Finished after 58 steps.")


def test_failed_and_empty_searches_are_explained(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page, algorithm="depth-first-recursive", second_algorithm="")
    method = panel(page, "Recursive depth-first search")
    expect(method_part(method, "ending")).to_have_text("too deep")
    expect(method_part(method, "message")).to_contain_text("The recursion reached its limit of")
    page.get_by_role("button", name="Go to end").click()
    expect(method_part(method, "node-description")).to_have_text("Search finished")
    page.goto("/lab")
    page.get_by_label("Your board").fill("1 2 3 4 5 6 7 8 0")
    page.get_by_role("button", name="Watch").click()
    first = panel(page, METHODS[0])
    expect(first).to_contain_text("already solved")
    expect(first).to_contain_text("cannot be shown: the search ended before its first")


def test_keys_playback_and_the_url_control_the_clock(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page, second_algorithm="")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(position_label(page)).to_have_text("Step 3 of 58")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("#step=2$"))
    page.reload()
    expect(position_label(page)).to_have_text("Step 2 of 58")
    for step, expected in (("12", "Step 12 of 58"), ("999999999", "End")):
        page.evaluate("(step) => { location.hash = `#step=${step}` }", step)
        expect(position_label(page)).to_have_text(expected)
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile("#step=0$"))
    page.locator('[data-part="speed"]').select_option("60")
    page.get_by_role("button", name="Play").click()
    expect(position_label(page)).to_have_text("End")
    expect(page.locator('[data-part="play"]')).to_contain_text("Play")
    expect(page.locator('[data-part="announcement"]')).to_contain_text("End")
    page.keyboard.press("Home")
    page.locator('[data-part="speed"]').select_option("1")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator('[data-part="play"]')).to_contain_text("Pause")
    page.keyboard.press(" ")
    expect(page.locator('[data-part="play"]')).to_contain_text("Play")


def test_form_shows_only_the_options_of_the_method(open_page: OpenPage, web: str) -> None:
    page = open_page("/lab", base_url=web)
    first = page.get_by_role("group", name="First method")
    for algorithm, labels in (
        ("a-star", {"Heuristic"}),
        ("weighted-a-star", {"Heuristic", "Weight"}),
        ("beam", {"Heuristic", "Beam width"}),
        ("depth-first", set()),
    ):
        first.get_by_label("Algorithm").select_option(algorithm)
        for name in ("Heuristic", "Weight", "Beam width"):
            expect(first.get_by_label(name)).to_be_visible(visible=name in labels)
    expect(first).to_contain_text("any solution")


def test_method_fills_the_screen_and_its_tree_is_saved(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page)
    first, second = (panel(page, title) for title in METHODS)
    page.get_by_role("button", name="Go to end").click()
    method_part(second, "full").click()
    expect(first).to_be_hidden()
    page.get_by_role("button", name="Dark").click()
    assert find_violations(page) == []
    page.keyboard.press("Escape")
    expect(first).to_be_visible()
    expect(page.get_by_role("button", name="Exit")).to_be_hidden()
    page.get_by_role("button", name="Projector mode").click()
    expect(page.get_by_role("button", name="Large type")).to_have_attribute("aria-pressed", "true")
    assert find_violations(page) == []
    page.get_by_role("button", name="Exit").click()
    drawing = download(page, method_part(first, "svg"))
    assert drawing.name == "tilework-tree-a-star-manhattan.svg"
    root = ElementTree.fromstring(drawing.content)
    assert root[0].text.startswith("A* · Manhattan · Search tree after step 58")
    assert {"0 + 5 = 5", "13 + 0 = 13"} <= {text.text for text in root.iter(f"{SVG}text")}
    assert download(page, method_part(second, "png")).content.startswith(b"\x89PNG")
