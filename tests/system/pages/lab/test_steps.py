import re
from xml.etree import ElementTree

import pytest
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
    watch(page, "depth-first-recursive")
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
    watch(page, "a-star:manhattan")
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


@pytest.mark.parametrize("methods", [["a-star:manhattan"], []])
def test_tree_and_frontier_are_on_one_screen(open_page: OpenPage, methods: list[str]) -> None:
    page = open_page("/lab", viewport={"width": 1440, "height": 900})
    expect(page.locator("#recorded")).to_contain_text("the first 300 steps and the last 50")
    watch(page, *methods)
    clock = page.locator(".clock").bounding_box()
    for part in ("tree", "chart", "frontier"):
        for element in page.locator(f'[data-part="{part}"]').all():
            box = element.bounding_box()
            # The first boards of a long frontier.
            assert box["y"] + min(box["height"], 200) <= clock["y"]
    page.set_viewport_size({"width": 390, "height": 844})
    tree = page.locator('[data-part="tree"]').first.bounding_box()
    assert tree["y"] + 300 < page.locator(".clock").bounding_box()["y"]
    assert tree["y"] < page.locator(".tree-legend").bounding_box()["y"]


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
