import json
import re
import zlib
from base64 import b64encode
from urllib.parse import quote

from playwright.sync_api import Page, Route, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow, part, read_tiles

ANALYSIS_URL = re.compile(r"/analyses/[0-9a-f-]{36}$")
BOARD = "1 2 3 4 5 6 0 7 8"
GAME = "LRLL"
FRAGMENT = f"#board={quote(BOARD)}&goal=blank-last&moves={GAME}&times=0,400,650,2650"


def pack(text: str) -> str:
    """Compress text as slidysim does."""
    return b64encode(zlib.compress(text.encode())).decode()


def expect_verdict(page: Page, text: str) -> None:
    expect(page.locator(".verdict-text")).to_have_text(text)


def test_played_game_is_analysed(open_page: OpenPage) -> None:
    page = open_page(f"/analyse{FRAGMENT}", device="phone", color_scheme="dark")
    expect(page.locator("#verdict")).to_contain_text("solvable")
    expect(page.locator("#moves")).to_have_value(GAME)
    assert "#" not in page.url
    page.get_by_role("button", name="Analyse game").click()
    expect(page).to_have_url(ANALYSIS_URL)
    expect_verdict(page, "Solved in 4 moves, 2 more than optimal (2 moves).")
    expect(page.get_by_text("2.65 s")).to_be_visible()
    expect(part(page, "chart")).to_be_visible()
    expect(part(page, "times")).to_be_visible()
    page.get_by_role("button", name="Go to move 2").click()
    expect(part(page, "remaining")).to_have_text("After move 1: 1 left")
    page.get_by_role("button", name="Show better moves instead of move 2: 1 move").click()
    expect(part(page, "position")).to_have_text("Move 0 of 1")
    page.keyboard.press("Escape")
    part(page, "last").click()
    assert read_tiles(page) == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    assert find_overflow(page) == []
    assert find_violations(page) == []
    page.get_by_role("button", name="Back to the game").click()
    expect(part(page, "position")).to_have_text("Move 1 of 4")
    expect(part(page, "board")).to_be_focused()
    page.keyboard.press("End")
    expect(part(page, "remaining")).to_have_text("After move 4: 0 left")
    expect(part(page, "chart-description")).to_contain_text(": 2 at the start, 0 at the end")

    def respond(route: Route) -> None:
        view = route.fetch().json()
        route.fulfill(json=view | {"result": view["result"] | {"exact": False}})

    page.route("**/api/v1/analyses/*", respond)
    page.reload()
    expect(part(page, "chart-description")).to_contain_text("at least 2 at the start, at least 0")


def test_result_is_shown_after_a_return_from_another_page(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    game = page.request.post("/api/v1/analyses", data={"board": BOARD, "moves": GAME}).json()
    refreshes: list[Route] = []

    def respond(route: Route) -> None:
        if "if-none-match" in route.request.headers:
            route.fulfill(status=304)
        else:
            end = {"state": "cancelled", "finished_at": 1.0}
            route.fulfill(json=game | end, headers={"ETag": '"end"'})

    def hold_first_refresh(route: Route) -> None:
        is_refresh = route.request.resource_type == "fetch"
        if is_refresh:
            refreshes.append(route)
        if not is_refresh or len(refreshes) > 1:
            route.continue_()

    page.route("**/api/v1/analyses/*", respond)
    page.route(f"{web}/analyses/*", hold_first_refresh)
    page.goto(f"/analyses/{game['id']}")
    while not refreshes:
        page.wait_for_timeout(10)
    for kind in ("pagehide", "pageshow"):
        page.evaluate(f"dispatchEvent(new PageTransitionEvent('{kind}', {{ persisted: true }}))")
    expect(part(page, "announce")).to_have_text("Analysis complete.")


def test_invalid_moves_are_rejected_and_files_and_replays_are_read(open_page: OpenPage) -> None:
    page = open_page("/analyse", expected="422")
    page.locator("#board").fill(BOARD)
    page.locator("#moves").fill("LLL")
    page.get_by_role("button", name="Analyse game").click()
    expect(page.locator("#form-error")).to_contain_text("Move 3, L, is illegal")
    expect(page.locator("#moves")).to_have_value("LLL")
    moves = {"name": "moves.txt", "mimeType": "text/plain", "buffer": b"7 8\n"}
    page.locator("#file").set_input_files(files=[moves])
    expect(page.locator("#moves")).to_have_value("7 8")
    record = pack("L2;1.2;2;1.6;-1;[0,300]")
    entry = json.dumps(["L2", "1.6", BOARD.replace("3 ", "3/").replace("6 ", "6/"), [400, 300]])
    for replay, board in (
        (pack(entry), "1 2 3\n4 5 6\n0 7 8"),
        (pack(json.dumps(["", record] + [""] * 8)), BOARD),
    ):
        page.locator("#board").fill("")
        page.locator("#moves").fill(f"https://example.org/replay?r={quote(replay)}")
        expect(page.locator("#board")).to_have_value(board)
        expect(page.locator("#moves")).to_have_value("LL")
        expect(page.locator("#times")).to_have_value("0,300")
    page.get_by_role("button", name="Analyse game").click()
    expect_verdict(page, "Optimal: 2 moves.")
    page.get_by_role("button", name="Replay in real time").click()
    expect(part(page, "position")).to_have_text("Move 2 of 2")
    assert page.request.get(f"{page.url}/replay.gif").body().startswith(b"GIF89a")
