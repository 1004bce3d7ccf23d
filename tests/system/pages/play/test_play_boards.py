import re

from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.player import play
from tests.system.pages.scripts import resolve_scripts
from tests.system.pages.visitor import part, read_tiles
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import GoalName, named_goal
from tilework.core.solver.solve import solve


def scramble_board(page: Page, width: int, height: int, difficulty: str, **fields: str) -> str:
    """Request a random board; return its description."""
    form = part(page, "new-game")
    form.get_by_label("Width").fill(str(width))
    form.get_by_label("Height").fill(str(height))
    form.get_by_label("Difficulty").select_option(difficulty)
    for label, value in fields.items():
        if label == "goal":
            form.get_by_label("Goal", exact=True).select_option(value)
        else:
            form.get_by_label("Moves from the goal").fill(value)
    form.get_by_role("button", name="Scramble").click()
    message = part(page, "scrambled")
    expect(message).to_contain_text("move")
    return message.inner_text()


def test_small_boards_have_exactly_the_displayed_distance(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web)
    for goal_name, distance in (("blank-last", 31), ("spiral", 17), ("spiral", 1)):
        message = scramble_board(page, 3, 3, "exactly", goal=goal_name, distance=str(distance))
        assert message == f"Optimal length: {distance} move{'s' * (distance > 1)}."
        goal = named_goal(goal_name, Size(3, 3))
        assert len(solve(Board(read_tiles(page)), goal).moves) == distance
    message = scramble_board(page, 4, 2, "any", goal="blank-last")
    length = int(re.search(r"(\d+) moves", message)[1])
    board = Board(read_tiles(page), 4)
    assert len(solve(board, named_goal(GoalName.BLANK_LAST, board.size)).moves) == length
    message = scramble_board(page, 2, 2, "exactly", distance="9")
    assert message == "No board of this size needs 9 moves; this one needs 6 moves."
    form = part(page, "new-game")
    form.get_by_label("Width").fill("0")
    form.get_by_role("button", name="Scramble").click()
    expect(part(page, "scrambled")).to_contain_text("Width and height must be from 2 to 20, not 0")
    expect(form.get_by_label("Width")).to_be_focused()


def test_large_boards_are_solvable_and_match_the_difficulty(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web)
    for width, height in ((5, 4), (12, 20)):
        lengths = []
        for difficulty in ("easy", "medium", "hard"):
            message = scramble_board(page, width, height, difficulty)
            assert "(estimate)" in message
            lengths.append(int(re.search(r"[\d,]+", message)[0].replace(",", "")))
            board = Board(read_tiles(page), width)
            goal = named_goal(GoalName.BLANK_LAST, board.size)
            assert board.is_solvable(goal)
            assert lengths[-1] >= board.manhattan(goal)
            assert lengths[-1] % 2 == board.manhattan(goal) % 2
        assert lengths == sorted(lengths)
    expect(part(page, "new-game").locator('[value="exactly"]')).to_be_disabled()


def test_best_games_are_listed_by_size_and_kind(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web)
    rows, records_set, count, averages, streaks = page.evaluate(
        resolve_scripts("""async () => {
          const { averageTime, countStreaks, findBestGames, loadGames, saveGame } =
            await import("SCRIPTS/play/storage.js");
          const game = (size, kind, moves, slides, ms) => ({ size, kind, moves, slides, ms });
          saveGame(game("3×3", "any", 40, 30, 9000));
          saveGame(game("3×3", "easy", 10, 8, 3000));
          const recordsSet = saveGame(game("3×3", "any", 35, 31, 8000));
          for (let count = 0; count < 600; count += 1) saveGame(game("3×3", "any", 99, 99, 99999));
          const rows = findBestGames(loadGames()).map(({ size, kind, time, moves, slides }) =>
            [size, kind, time.ms, moves.moves, slides.slides]);
          const times = [90, 20, 30, 10, 40, 50].map((ms) => ({ ms }));
          const dates = ["01", "02", "04", "05", "05", "06"].map((day) => `2026-03-${day}`);
          const daily = dates.map((date) => ({ kind: "daily", date }));
          const streaks = ["2026-03-07", "2026-03-08"].map((today) => countStreaks(daily, today));
          const averages = [averageTime(times, 5), averageTime(times, 12)];
          return [rows, recordsSet, loadGames().length, averages, streaks];
        }""")
    )
    assert averages == [30, None]
    assert streaks == [{"current": 3, "longest": 3}, {"current": 0, "longest": 3}]
    assert rows == [["3×3", "any", 8000, 35, 30], ["3×3", "easy", 3000, 10, 8]]
    assert records_set == ["time", "moves"]
    assert count == 500
