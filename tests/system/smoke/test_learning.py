import csv
import re
from datetime import UTC, datetime

from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.steps import METHODS, check_step, method_part, panel, read_board, watch
from tests.system.pages.visitor import download, find_overflow, part, read_tiles
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply
from tilework.core.puzzle.scramble import daily_board

HARDEST_3X3 = "8 6 7 2 5 4 3 0 1"
SOLVED_TILES = [1, 2, 3, 4, 5, 6, 7, 8, 0]
BOARD = "1 2 3 4 5 0 6 7 8"
SCRAMBLE_BOARDS = """async ([count, goal, width]) => {
  const { src } = document.querySelector("script[type=module]");
  const { scramble } = await import(src.replace(/\\/js\\/.*/, "/js/play/game/scramble.js"));
  const boards = Array.from({ length: count }, () => scramble(goal, width, "any"));
  return (await Promise.all(boards)).map(({ tiles }) => Array.from(tiles));
}"""
IS_CACHED = "() => navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)"


def test_game_is_played_with_help_and_analysed(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#board").fill("1 2 3 4 0 6 7 5 8")
    expect(page.locator("#verdict")).to_contain_text("2 misplaced tiles")
    page.locator("#play").click()
    expect(page.locator(".play-table .tile")).to_have_count(8)
    part(page, "board").focus()
    page.keyboard.press("ArrowRight")
    assert read_tiles(page) == [1, 2, 3, 0, 4, 6, 7, 5, 8]
    goal = blank_last(Size(4, 4))
    boards = page.evaluate(SCRAMBLE_BOARDS, [100, goal.cells.tolist(), 4])
    assert all(Board(tiles, 4, 4).is_solvable(goal) for tiles in boards)
    page.keyboard.press("Control+z")
    part(page, "hint").click()
    expect(part(page, "advice")).to_contain_text("(2 moves left)")
    page.locator(".tile-pointed").click()
    expect(part(page, "moves")).to_have_text("1")
    part(page, "solve").click()
    expect(part(page, "end-text")).to_contain_text("2 moves")
    assert read_tiles(page) == SOLVED_TILES
    assert find_violations(page) == []
    part(page, "end-analysis").click()
    expect(page.locator(".verdict-text")).to_contain_text("2 moves")
    page.goto("/analyse?board=1+2+3+4+0+6+7+5+8&moves=RLUL")
    page.get_by_role("button", name="Analyse game").click()
    verdict = "Solved in 4 moves, 2 more than optimal (2 moves)."
    expect(page.locator(".verdict-text")).to_have_text(verdict)
    page.locator('[data-go="0"]').first.click()
    expect(part(page, "remaining")).to_have_text("After move 0: 2 left")
    assert find_overflow(page) == []
    assert find_violations(page) == []


def test_daily_board_is_played_offline_on_a_phone(open_page: OpenPage) -> None:
    start_date = datetime.now(UTC).date()
    page = open_page(
        "/play?board=1+2+3+4+5+6+0+7+8",
        device="phone",
        locale="pt-BR",
        expected="ERR_INTERNET_DISCONNECTED",
    )
    page.locator('[data-tile="7"]').tap()
    expect(part(page, "moves")).to_have_text("1")
    page.locator('.submenu a[href$="?daily"]').tap()
    page.locator('[data-daily="3"]').tap()
    expect(part(page, "secret")).to_be_visible()
    expect(part(page, "hint")).to_be_disabled()
    daily_tiles = read_tiles(page)
    days = {start_date, datetime.now(UTC).date()}
    assert daily_tiles in [daily_board(day, 3).cells.tolist() for day in days]
    expect(part(page, "board")).to_be_in_viewport(ratio=1)
    assert find_overflow(page) == []
    page.wait_for_function(IS_CACHED)
    page.context.set_offline(True)
    page.reload()
    expect(part(page, "secret")).to_be_visible()
    assert read_tiles(page) == daily_tiles
    page.locator(".submenu a").first.tap()
    part(page, "new-game").get_by_role("button").last.click()
    expect(part(page, "scrambled")).not_to_be_empty()
    page.context.set_offline(False)


def test_all_shortest_solutions_are_found(open_page: OpenPage) -> None:
    page = open_page("/ways", device="phone", locale="pt-BR")
    page.locator("#board").fill(HARDEST_3X3)
    page.locator('main .button-main[type="submit"]').click()
    expect(page.locator(".verdict-text")).to_contain_text("40")
    expect(page.locator(".solutions-dot")).to_have_count(527)
    letters = page.locator(".solutions-list code").first.inner_text()
    part(page, "graph").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    label = part(page, "selected-board").get_attribute("aria-label")
    board = apply(Board([int(tile) for tile in HARDEST_3X3.split()]), from_letters(letters[:4]))
    tiles = re.sub(r"^.*?: |;", "", label).split()
    assert [int(tile) if tile.isdigit() else 0 for tile in tiles] == board.cells.tolist()
    for key in ("ArrowDown", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(part(page, "shown")).to_have_text("Uma solução que passa pelo tabuleiro selecionado")
    expect(part(page, "position")).to_have_text("Movimento 4 de 31")
    page.keyboard.press("End")
    expect(part(page, "selected-description")).to_contain_text("40 de 40")
    for name in ("2", "0.5", "fit"):
        page.locator(f'[data-zoom="{name}"]').click()
    expect(page.locator(".solutions-svg")).to_be_visible()
    part(page, "last").click()
    assert read_tiles(page) == SOLVED_TILES
    assert find_overflow(page) == []
    assert find_violations(page) == []


def test_two_searches_are_shown_step_by_step(open_page: OpenPage) -> None:
    page = open_page("/lab", device="phone")
    watch(page)
    expect(part(page, "position")).to_have_text("Step 1 of 1,665")
    check_step(page, 1)
    for name, number in (("Next", 2), ("Next", 3), ("Previous", 2)):
        page.get_by_role("button", name=f"{name} step").click()
        check_step(page, number)
    page.locator("#scrub").fill("40")
    check_step(page, 40)
    expect(panel(page, METHODS[0]).locator(".code-line[aria-current=step]")).to_have_count(1)
    page.get_by_role("button", name="Go to end").click()
    for title in METHODS:
        method = panel(page, title)
        expect(method_part(method, "node-description")).to_have_text("Goal reached")
        expect(method_part(method, "ending")).to_have_text("13 moves, optimal")
        assert read_board(method) == SOLVED_TILES
    page.get_by_role("button", name="Go to start").click()
    expect(method_part(panel(page, METHODS[0]), "node-description")).to_have_text("Start")
    assert find_overflow(page) == []
    assert find_violations(page) == []


def test_methods_are_compared_on_one_board_and_on_many(open_page: OpenPage) -> None:
    page = open_page("/compare", device="phone", locale="pt-BR")
    page.locator("#board").fill(BOARD)
    page.locator('[name="method"][value="ida-star:manhattan"]').uncheck()
    page.locator("#more-methods > summary").click()
    page.locator("#find-method").fill("gulosa manhattan")
    page.locator('[name="method"][value="greedy:manhattan"]').check()
    assert find_overflow(page) == []
    page.locator("#run").click()
    expect(page.locator(".badge-finished")).to_be_visible()
    expect(page.locator(".runs tbody tr")).to_have_count(3)
    table = list(csv.DictReader(download(page, page.locator('a[href*="csv"]')).text.splitlines()))
    for row in table:
        cells = page.locator(f'tr[data-key="{row["method"]}"] > *').all_inner_texts()
        counts = [cells[2], cells[4].replace(".", ""), cells[5].replace(".", "")]
        assert counts == [row["length"], row["visited"], row["generated"]]
    lengths = {row["method"]: row["length"] for row in table}
    assert lengths["a-star:manhattan"] == lengths["breadth-first"] == "13"
    expect(page.locator('[data-chart="generated"] .bars-value')).to_have_count(3)
    drawing = download(page, page.locator("#chart-generated-svg"))
    assert drawing.name == "generated.svg"
    assert find_violations(page) == []

    sweep = {"boards": 3, "moves": 8, "seed": 2, "width": 3, "height": 2}
    body = {"sweep": sweep, "methods": ["a-star:manhattan", "breadth-first"]}
    comparison = page.request.post("/api/v1/comparisons", data=body).json()
    page.goto(f"/comparisons/{comparison['id']}?lang=en")
    expect(page.locator(".badge-finished")).to_be_visible()
    expect(page.locator(".sweep-dot")).to_have_count(6)
    assert find_overflow(page) == []


def test_documented_operations_can_be_tried(open_page: OpenPage, web: str) -> None:
    page = open_page("/openapi", base_url=web)  # without workers, the job does not end
    operation = page.locator("#submitJob")
    operation.locator("textarea").fill('{"board": "1 2 3 4 5 6 7 0 8"}')
    operation.locator("button").last.click()
    expect(operation.locator("pre").last).to_contain_text('"width": 3')
    operation = page.locator("#followJob")
    operation.locator("summary").first.click()
    operation.locator("button").last.click()
    expect(operation.locator("pre").last).to_contain_text(re.compile(r"data: {.*}\s*…$"))


def test_boards_are_solved_without_scripts(open_page: OpenPage) -> None:
    page = open_page("/", java_script_enabled=False, expected="422")
    page.locator("#board").fill("1 2 3 4 5 6 8 7 0")
    page.locator("#solve-it").click()
    expect(page.get_by_role("alert")).to_contain_text("is odd, so the goal cannot be reached.")
    page.locator("#board").fill(BOARD)
    page.locator("#solve-it").click()
    moves = page.locator("[data-part=moves] li")
    while not moves.count():
        page.wait_for_timeout(100)
        page.reload()
    board = Board([int(tile) for tile in BOARD.split()])
    letters = ["UDLR"["↑↓←→".index(move[-1])] for move in moves.all_text_contents()]
    board = apply(board, from_letters("".join(letters)))
    assert board.cells.tolist() == SOLVED_TILES
