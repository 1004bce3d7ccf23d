import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.fake_hints import FakeHints
from tests.system.pages.player import play
from tests.system.pages.visitor import find_overflow, part

NEAR_BOARD = "1 2 3 4 0 6 7 5 8"  # 5 up, 8 left
FAR_BOARD = "8 6 7 2 5 4 3 0 1"  # 31 moves


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_hint_names_the_move_and_the_remaining_moves(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, board=NEAR_BOARD)
    hints = FakeHints().install(page)
    press(page, "Hint")
    advice = part(page, "advice")
    expect(advice).to_have_text("Move 5 up (2 moves left)")
    expect(page.locator(".tile-pointed")).to_have_attribute("data-tile", "5")
    assert hints.requests == [{"board": NEAR_BOARD, "goal": "blank-last", "wait": 0.5}]
    part(page, "board").focus()
    page.keyboard.press("ArrowUp")
    expect(advice).to_be_hidden()
    press(page, "Hint")  # the other moves are known from the first request
    expect(advice).to_have_text("Move 8 left (1 move left)")
    part(page, "board").focus()
    page.keyboard.press("ArrowRight")  # away from the goal
    press(page, "Hint")
    expect(advice).to_have_text("Move 7 left (2 moves left)")
    assert [body["board"] for body in hints.requests] == [NEAR_BOARD, "1 2 3 4 5 6 0 7 8"]


def test_unproven_hint_is_approximate_until_it_is_proven(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, board=FAR_BOARD)
    hints = FakeHints(solution_s=1, proof_s=10).install(page)
    page.evaluate(
        """() => {
          window.messages = [];
          const advice = document.querySelector("[data-part=advice]");
          new MutationObserver(() => window.messages.push(advice.textContent))
            .observe(advice, { childList: true });
        }"""
    )
    press(page, "Hint")
    expect(part(page, "advice")).to_contain_text("(31 moves left)")
    messages = page.evaluate("window.messages")
    assert messages[1] == "Searching … at least 15 moves"
    assert messages[2].endswith("(about 31 moves left)")
    assert [body["wait"] for body in hints.requests] == [0.5, 5, 20]


def test_automatic_play_sets_no_record(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, board=FAR_BOARD)
    FakeHints().install(page)
    press(page, "Solve from here")
    expect(part(page, "moves")).not_to_have_text("0")
    press(page, "Stop")
    assert part(page, "end").is_hidden()
    press(page, "Solve from here")
    expect(part(page, "end-text")).to_contain_text("Solved with help: 31 moves")
    expect(part(page, "end-comparison")).to_have_text("You: 31 moves. Best: 31.")
    expect(part(page, "no-records")).to_be_visible()
    expect(part(page, "tools")).to_be_hidden()


def test_result_is_compared_with_the_optimum(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, board=NEAR_BOARD, device="phone")
    FakeHints().install(page)
    part(page, "board").focus()
    for key in ("Right", "Left", "Up", "Left"):
        page.keyboard.press(f"Arrow{key}")
    end = part(page, "end")
    expect(end).to_contain_text("You: 4 moves. Best: 2.")
    expect(end).to_contain_text(re.compile(r"Solved: 4 moves, 4 slides, [\d:]+\.\d\."))
    expect(part(page, "end-analysis")).to_have_attribute("href", re.compile("^/analyse#board="))
    assert find_violations(page) == []
    assert find_overflow(page) == []
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "Share")
    expect(part(page, "share-label")).to_have_text("Copied")
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0] == "Tilework 3×3"
    assert lines[1].startswith("4 moves (best: 2) · ")
    assert lines[2:] == ["🟦🟦🟦", "🟨🟨🟦", "🟦🟧⬜", page.url]
    press(page, "Replay")
    expect(part(page, "replay-label")).to_have_text("Replay")
    expect(part(page, "moves")).to_have_text("4")
    # The analysis is not opened once another game has started.
    analyses: list[Route] = []

    def hold_route(route: Route) -> None:
        analyses.append(route)

    page.route("**/api/v1/analyses", hold_route)
    with page.context.expect_page() as tab:
        part(page, "end-analysis").click(modifiers=["ControlOrMeta"])
    expect(tab.value).to_have_url(re.compile("/analyse$"))
    assert analyses == []
    with page.expect_request("**/api/v1/analyses"):
        part(page, "end-analysis").click()
    press(page, "Play again")
    analyses[0].fulfill(status=202, json={"id": "late"})
    expect(page.locator("[aria-busy]")).to_have_count(0)
    expect(end).to_be_hidden()
    part(page, "board").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(end).to_contain_text("Personal best: fewest moves! Personal best: fewest slides!")


def test_errors_and_unreachable_services_are_reported(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, board="1 2 3 4 5 6 8 7 0", expected="422|ERR_FAILED")
    FakeHints().install(page)
    press(page, "Hint")
    expect(part(page, "advice")).to_have_text("This board is unsolvable.")
    page.unroute("**/api/v1/hints")
    page.route("**/api/v1/**", lambda route: route.abort())
    press(page, "Solve from here")
    expect(part(page, "advice")).to_contain_text("cannot be reached")
    page.get_by_role("link", name="Daily puzzle").click()
    expect(part(page, "daily-text")).to_contain_text("Could not load the daily puzzle.")


def test_daily_board_keeps_its_solution_secret(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web)
    hints = FakeHints().install(page)
    page.get_by_role("link", name="Daily puzzle").click()
    page.route("**/api/v1/daily/*/4", lambda _: None)  # waits
    with page.expect_event("requestfailed"):
        press(page, "4×4")
        press(page, "3×3")
    expect(part(page, "secret")).to_be_visible()
    expect(page.get_by_role("button", name="Solve from here")).to_be_disabled()
    page.reload()
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
    assert hints.requests == []
    part(page, "board").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(part(page, "end-comparison")).to_have_text("You: 2 moves. Best: 2.")
    expect(page.get_by_role("button", name="3×3: solved in 2")).to_be_visible()
    expect(part(page, "records")).to_contain_text("3×3 · Daily puzzles")
    press(page, "Play again")
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()


@pytest.mark.parametrize("locale", ["en-US", "pt-BR"])
def test_won_daily_board_is_on_the_first_screen_of_a_phone(
    open_page: OpenPage, web: str, locale: str
) -> None:
    viewport = {"width": 390, "height": 844}
    page = play(open_page, web, device="phone", locale=locale, viewport=viewport)
    page.locator('.submenu a[href$="?daily"]').tap()
    expect(part(page, "goal-board").locator(".tile")).to_have_count(8)
    for tile in (7, 8):
        part(page, "board").locator(f'[data-tile="{tile}"]').tap()
    expect(part(page, "end-best")).to_have_text("2")
    shown = ("daily-date", "streak", "moves", "end-best", "end-speed", "time", "next")
    for name in shown:
        expect(part(page, name)).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    expect(part(page, "streak")).to_contain_text("1")
    expect(part(page, "next")).to_contain_text("4×4")
    expect(part(page, "picture-box")).to_contain_text("🟧")
    assert find_violations(page) == []
    assert find_overflow(page) == []
    part(page, "next").tap()
    expect(page.locator(".play-sizes [aria-pressed=true]")).to_have_text("4×4")
