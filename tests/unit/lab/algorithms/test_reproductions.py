import pytest

from tests.unit.lab.runs import blank_moves, run_method

CORNER = "1 2 3 4 5 X 6 7 8"
SPIRAL = (1, 2, 3, 8, 0, 4, 7, 6, 5)


@pytest.mark.parametrize(
    ("board", "heuristic", "visited", "largest_frontier", "moves"),
    [
        (CORNER, "h1", 165, 105, 13),
        (CORNER, "h2", 81, 56, 13),
        (CORNER, "h3", 102, 64, 13),
        ("1 2 3 4 5 6 X 7 8", "h2", 3, 3, 2),
        ("1 2 3 4 5 6 7 X 8", "h2", 2, 3, 1),
        ("7 5 8 2 3 4 1 X 6", "h2", 4792, 2595, 27),
    ],
)
def test_a_star_replace_matches_published_figures(
    board, heuristic, visited, largest_frontier, moves
):
    tiles = tuple(0 if word == "X" else int(word) for word in board.split())
    result = run_method(tiles, f"a-star-replace:{heuristic}")
    statistics = result.statistics
    assert (statistics.visited, statistics.max_frontier) == (visited, largest_frontier)
    assert len(result.moves) == moves


@pytest.mark.parametrize(
    ("start", "goal", "width", "moves", "visited"),
    [
        ((2, 8, 3, 1, 6, 4, 7, 0, 5), SPIRAL, 3, 13_441, 13_748),
        ((3, 2, 0, 1), (0, 1, 2, 3), 2, 7, 8),
    ],
)
def test_depth_first_unchecked_matches_published_figures(start, goal, width, moves, visited):
    result = run_method(start, "depth-first-unchecked", goal=goal, width=width)
    assert (len(result.moves), result.statistics.visited) == (moves, visited)


def test_2x2_board_is_solved_in_the_published_five_moves():
    for method in ("backtracking", "depth-first-recursive", "breadth-first"):
        assert blank_moves(run_method((3, 2, 0, 1), method, goal=(0, 1, 2, 3), width=2)) == "URDLU"


def test_spiral_goal_by_breadth_first_search_and_backtracking():
    tiles = (2, 8, 3, 1, 6, 4, 7, 0, 5)
    assert len(run_method(tiles, "breadth-first", goal=SPIRAL).moves) == 5
    result = run_method(tiles, "backtracking-stack", goal=SPIRAL)
    assert len(result.moves) == 3437
    assert blank_moves(result).startswith("RULLDRRU")
