"""Searches step by step: two methods on one clock, their trees, boards and frontiers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.rules import faults
from tests.system.pages.visitor import overflow

pytestmark = pytest.mark.browser

THIRTEEN_MOVES = "1 2 3 4 5 0 6 7 8"
STEPS_ADDRESS = re.compile(r"/lab/[0-9a-f-]{36}$")
METHODS = ("A* · Manhattan", "Breadth-first")


def watch(page: Page, board: str = THIRTEEN_MOVES, **choices: str) -> None:
    """Give the lab a board and methods, and wait for the clock."""
    page.goto("/lab")
    page.get_by_label("Your board").fill(board)
    for name, value in choices.items():
        field = page.locator(f'[name="{name}"]')
        if field.evaluate("(field) => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            page.locator("summary", has_text="Which steps").evaluate(
                "(summary) => (summary.parentElement.open = true)"
            )
            field.fill(value)
    page.get_by_role("button", name="Watch it").click()
    expect(page).to_have_url(STEPS_ADDRESS)
    expect(page.locator(".clock")).to_be_visible()


def panel(page: Page, title: str) -> Locator:
    return page.locator(".method", has=page.get_by_role("heading", name=title, exact=True))


def piece(method: Locator, name: str) -> Locator:
    return method.locator(f'[data-part="{name}"]')


def place(page: Page) -> Locator:
    return page.locator('[data-part="place"]')


def traces(page: Page) -> list[dict[str, Any]]:
    """What the API gives of the runs shown, in their order."""
    ids = page.locator(".method").evaluate_all("(all) => all.map((one) => one.dataset.run)")
    return [page.request.get(f"/api/v1/runs/{one}/trace").json() for one in ids]


def shown_board(method: Locator) -> list[int]:
    """The board at the method's cursor, as it is put in words."""
    words = piece(method, "board").get_attribute("aria-label")
    rows = words.split("row by row: ")[1].replace(";", "").replace("blank", "0")
    return [int(tile) for tile in rows.split()]


def score(method: Locator) -> tuple[float, ...]:
    return tuple(float(piece(method, name).text_content()) for name in "ghf")


def waiting(method: Locator) -> list[tuple[int, str, str]]:
    """Nodes of the frontier as they are listed: number, f, and g + h."""
    return [
        (
            int(item.get_attribute("data-node")),
            item.locator(".waiting-f").text_content(),
            item.locator(".waiting-sum").text_content(),
        )
        for item in method.locator(".waiting").all()
    ]


def look_at_step(page: Page, number: int) -> None:
    """Both panels show a step as the API tells it."""
    for title, trace in zip(METHODS, traces(page), strict=True):
        step = trace["steps"][number - 1]
        method = panel(page, title)
        expect(piece(method, "what")).to_have_text(f"Step {number} expands this board")
        assert shown_board(method) == step["board"]
        assert score(method) == (step["g"], step["h"], step["f"])
        assert waiting(method) == [
            (one["node"], f"{one['f']:g}", f"{one['g']} + {one['h']:g}") for one in step["frontier"]
        ]
        expect(piece(method, "frontier-size")).to_have_text(f"{step['frontier_size']:,}")
        outcomes = [child["outcome"] for child in step["children"]]
        classes = method.locator(".child").evaluate_all(
            "(all) => all.map((one) => one.className.replace('child child-', ''))"
        )
        assert classes == outcomes


def test_two_searches_step_together(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device)
    watch(page)
    expect(place(page)).to_have_text("Step 1 of 1,665")
    look_at_step(page, 1)
    for _ in range(4):
        page.get_by_role("button", name="One step forward").click()
    expect(place(page)).to_have_text("Step 5 of 1,665")
    look_at_step(page, 5)
    page.get_by_role("button", name="One step back").click()
    look_at_step(page, 4)
    page.locator("#scrub").fill("40")
    look_at_step(page, 40)
    assert overflow(page) == []

    page.get_by_role("button", name="To the end").click()
    expect(place(page)).to_have_text("At the end")
    for title in METHODS:
        method = panel(page, title)
        expect(piece(method, "what")).to_have_text("The goal was reached")
        expect(piece(method, "ending")).to_have_text("13 moves, a shortest solution")
        assert shown_board(method) == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    page.get_by_role("button", name="To the start").click()
    expect(place(page)).to_have_text("Before the first step")
    expect(piece(panel(page, METHODS[0]), "what")).to_have_text("The start")
    assert overflow(page) == []


def test_what_is_not_kept_is_told(open_page: OpenPage) -> None:
    page = open_page()
    watch(page, first="30", last="5")
    first, second = (panel(page, title) for title in METHODS)
    expect(piece(first, "gaps")).to_have_text("Steps 31 to 53 are not kept.")
    expect(piece(second, "gaps")).to_have_text("Steps 31 to 1,660 are not kept.")
    page.locator("#scrub").fill("31")
    expect(place(page)).to_have_text("Step 54 of 1,665")
    expect(piece(first, "what")).to_have_text("Step 54 expands this board")
    expect(piece(second, "where")).to_have_text("Step 54 is not kept here; this is step 30.")
    page.get_by_role("button", name="To the end").click()
    expect(piece(first, "where")).to_have_text("Ended after 58 steps.")


def test_a_search_that_fails_says_why(open_page: OpenPage) -> None:
    page = open_page()
    watch(page, algorithm="depth-first-recursive", second_algorithm="")
    method = panel(page, "Depth-first, recursive")
    expect(piece(method, "ending")).to_have_text("too deep")
    expect(piece(method, "message")).to_contain_text("The recursion reached its limit of")
    page.get_by_role("button", name="To the end").click()
    expect(piece(method, "what")).to_have_text("The search has ended")


def test_keys_and_play_steer_the_clock(open_page: OpenPage) -> None:
    page = open_page()
    watch(page, second_algorithm="")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(place(page)).to_have_text("Step 3 of 58")
    page.keyboard.press("ArrowLeft")
    expect(place(page)).to_have_text("Step 2 of 58")
    page.keyboard.press("End")
    expect(place(page)).to_have_text("At the end")
    page.keyboard.press("Home")
    expect(place(page)).to_have_text("Before the first step")
    page.locator('[data-part="speed"]').select_option("60")
    page.locator("body").focus()
    page.get_by_role("button", name="Play").click()
    expect(place(page)).to_have_text("At the end")
    expect(page.locator('[data-part="play"]')).to_contain_text("Play")
    expect(page.locator('[data-part="spoken"]')).to_contain_text("At the end")
    page.keyboard.press("Home")
    page.locator('[data-part="speed"]').select_option("1")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator('[data-part="play"]')).to_contain_text("Pause")
    page.keyboard.press(" ")
    expect(page.locator('[data-part="play"]')).to_contain_text("Play")


def test_the_form_works_without_a_script(open_page: OpenPage) -> None:
    page = open_page("/lab", java_script_enabled=False)
    page.get_by_label("Your board").fill(THIRTEEN_MOVES)
    page.locator('[name="second_algorithm"]').select_option("beam")
    page.locator('[name="second_width"]').fill("7")
    page.locator('[name="goal"]').select_option("own")
    page.locator('[name="goal_board"]').fill("1 2 3 4 5 6 7 8 0")
    page.get_by_role("button", name="Watch it").click()
    expect(page).to_have_url(STEPS_ADDRESS)
    expect(page.locator("main")).to_contain_text("Beam · Manhattan · 7")
    expect(page.locator("noscript p")).to_be_visible()
    page.get_by_role("link", name="The same as a table").click()
    expect(page.locator("main")).to_contain_text("Beam · Manhattan · 7")


def test_faults_of_the_form_are_told_above_it(open_page: OpenPage, device: str) -> None:
    page = open_page("/lab", device=device, expected="422")
    page.get_by_label("Your board").fill("1 2 3 4 5 6 8 7 0")
    expect(page.locator("#verdict")).to_contain_text("not solvable")
    page.get_by_role("button", name="Watch it").click()
    expect(page.get_by_role("alert")).to_contain_text("is odd, so the goal cannot be reached")
    expect(page.get_by_label("Your board")).to_have_value("1 2 3 4 5 6 8 7 0")
    page.wait_for_load_state()  # before its styles are there, everything sticks out
    assert overflow(page) == []


def test_a_search_without_a_step_says_so(open_page: OpenPage) -> None:
    page = open_page("/lab")
    page.get_by_label("Your board").fill("1 2 3 4 5 6 7 8 0")
    page.get_by_role("button", name="Watch it").click()
    first = panel(page, METHODS[0])
    expect(first).to_contain_text("already solved: 0 moves")
    expect(first).to_contain_text("cannot be shown: the search ended before its first")


def test_one_move_and_one_step_are_told_as_one(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page, "1 2 3 4 5 6 7 0 8")
    page.get_by_role("button", name="To the end").click()
    for method in METHODS:
        expect(panel(page, method)).to_contain_text("1 move, a shortest solution")
        expect(panel(page, method)).to_contain_text("Ended after 1 step.")


def test_only_what_a_method_takes_is_asked(open_page: OpenPage) -> None:
    page = open_page("/lab")
    first = page.get_by_role("group", name="First method")
    expect(first.get_by_label("Heuristic")).to_be_visible()
    expect(first.get_by_label("Weight")).to_be_hidden()
    first.get_by_label("Algorithm").select_option("weighted-a-star")
    expect(first.get_by_label("Weight")).to_be_visible()
    first.get_by_label("Algorithm").select_option("beam")
    expect(first.get_by_label("Beam width")).to_be_visible()
    expect(first.get_by_label("Weight")).to_be_hidden()
    first.get_by_label("Algorithm").select_option("depth-first")
    expect(first.get_by_label("Heuristic")).to_be_hidden()
    expect(first).to_contain_text("a solution of any length")


@pytest.mark.parametrize(("device", "light"), [("desktop", "dark"), ("phone", "light")])
def test_the_lab_keeps_the_rules_of_accessibility(
    open_page: OpenPage, device: str, light: str
) -> None:
    page = open_page("/lab", device=device, color_scheme=light)
    expect(page.locator("#verdict")).to_contain_text("solvable")
    assert faults(page) == []
    watch(page)
    assert faults(page) == []
    page.locator(".waiting").first.click()
    assert faults(page) == []
    page.get_by_role("button", name="To the end").click()
    assert faults(page) == []
