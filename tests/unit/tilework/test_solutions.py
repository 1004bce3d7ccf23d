import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, pairwise
from xml.etree import ElementTree

import pytest

from tests.support import naive
from tests.support.instances import load_instances
from tilework import (
    Board,
    Loss,
    NotFoundError,
    Solver,
    TileworkError,
    UnsolvableError,
    analyse,
    hint,
    invert,
    scramble,
    simplify,
    slides,
    solve,
    solve_many,
    ways,
)

EASY = "0 1 3 / 4 2 5 / 7 8 6"
UNSOLVABLE = "1 2 3 / 4 5 6 / 8 7 0"
HARDEST = "8 6 7 / 2 5 4 / 3 0 1"
START = "1 2 3 / 4 5 6 / 0 7 8"


def test_solution_is_optimal_and_replays() -> None:
    solution = solve(HARDEST)
    assert len(solution) == solution.lower_bound == 31
    assert (solution.is_optimal, bool(solution)) == (True, True)
    start = tuple(Board(HARDEST).cells.tolist())
    assert naive.apply_moves(start, 3, solution.moves) == (1, 2, 3, 4, 5, 6, 7, 8, 0)
    boards = list(solution.boards())
    assert (len(boards), boards[0], boards[-1].is_goal()) == (32, solution.board, True)
    for first, second in pairwise(boards):
        assert second in set(first.neighbors())
    next_move = hint(HARDEST)
    assert (next_move.lower_bound, next_move.is_optimal, next_move.is_solved) == (31, True, False)
    neighbor = Board(HARDEST).moved((next_move.moves or "")[0])
    assert len(solve(neighbor)) == 30
    assert Board(HARDEST).cells[neighbor.blank] == next_move.tile
    assert hint(Board.goal(3)).is_solved
    empty = solve(Board.goal(3))
    assert (empty.moves, len(empty), bool(empty), empty.is_optimal) == ("", 0, True, True)
    assert list(empty.boards()) == [Board.goal(3)]
    easy = solve(EASY)
    assert easy.text("udlr", by="blank") == "RDRD\n"
    assert easy.text().startswith("Minimum number of moves = 4\n")


def test_targets_goals_and_limits() -> None:
    large = solve(scramble(10, seed=1), target="any")
    assert 0 < large.lower_bound < len(large)
    assert not large.is_optimal
    bounded = solve(scramble(5, seed=1), target=0.5)
    assert len(bounded) <= 1.5 * bounded.lower_bound
    board = Board(load_instances("hardest_15puzzle.txt")[0].tiles)
    stopped = solve(board, time_limit=0.0, algorithm="ida-star")
    assert (stopped.moves, bool(stopped), stopped.is_optimal) == (None, False, False)
    with pytest.raises(NotFoundError, match="no solution was found"):
        len(stopped)
    assert len(solve("3 2 / 0 1", "0 1 / 2 3")) == 5
    assert len(solve("1 2 3 / 8 0 4 / 7 6 5", "spiral")) == 0
    with pytest.raises(TileworkError, match="a goal of size 2×2 does not fit a board of size 3×3"):
        solve(EASY, Board.goal(2))


def test_unsolvable_boards_are_rejected() -> None:
    with pytest.raises(UnsolvableError) as error:
        solve(UNSOLVABLE)
    assert "nversions" in str(error.value.explanation)
    for function in (hint, slides, lambda board: analyse(board, "")):
        with pytest.raises(UnsolvableError):
            function(UNSOLVABLE)


def test_princeton_solver() -> None:
    with pytest.raises(ValueError, match="cannot reach its goal") as error:
        Solver(UNSOLVABLE)
    assert isinstance(error.value, UnsolvableError)
    solver = Solver(Board(EASY))
    assert solver.moves() == 4
    assert solver.is_solvable()
    assert ["".join(str(board).split()[1:]) for board in solver.solution()] == [
        *("013425786", "103425786", "123405786", "123450786", "123456780")
    ]


def test_lost_moves_of_a_game() -> None:
    analysis = analyse(START, "LRLL")
    assert len(analysis) == 4
    assert (analysis.is_solution, analysis.is_exact) == (True, True)
    assert analysis.lower == analysis.upper == (2, 1, 2, 1, 0)
    assert analysis.losses == (Loss(2, 1, "L"),)
    assert (analysis.loops, analysis.slides, analysis.lost) == (((0, 2),), 3, (2, 2))
    board = scramble(4, seed=5, moves=20)
    shortest = solve(board)
    analysis = analyse(board, shortest.moves)
    assert analysis.lower == tuple(range(len(shortest), -1, -1))
    assert (analysis.losses, analysis.lost) == ((), (0, 0))


def test_games_are_simplified_inverted_and_shortened() -> None:
    solution, detour = solve(HARDEST).moves, "LRLR"
    start = tuple(Board(HARDEST).cells.tolist())
    assert simplify(HARDEST, detour + solution) == solution
    end = naive.apply_moves(start, 3, solution[:20])
    assert naive.apply_moves(end, 3, invert(HARDEST, solution[:20])) == start
    assert len(solve(HARDEST, shorten=detour + solution)) == 31
    # No shorter solution is needed, but the bound is known.
    kept = solve(HARDEST, shorten=detour + solution, target="any")
    assert kept.moves == detour + solution
    assert Board(HARDEST).manhattan() <= kept.lower_bound <= 31
    assert solve("1 2 3 4 5 6 7 0 8", shorten="L", target="any").is_optimal
    for options in ({"shorten": "L"}, {"shorten": solution, "algorithm": "greedy"}):
        with pytest.raises(TileworkError, match=r"does not (end at|shorten)"):
            solve(HARDEST, **options)


def test_all_shortest_solutions_and_fewest_slides() -> None:
    paths = ways(HARDEST)
    assert paths
    assert (paths.length, paths.count, paths.lower_bound) == (31, 40, 31)
    solutions = list(paths)
    assert len(set(solutions)) == 40
    assert all(Board.of(HARDEST).moved(moves) == paths.goal for moves in solutions)
    assert paths.fewest_turns() in solutions
    assert len(paths.graph()["boards"]) == paths.boards
    assert paths.dot().startswith("digraph")
    limited = ways(HARDEST, time_limit=0)
    assert not limited
    assert limited.stopped_by == "time"
    with pytest.raises(NotFoundError, match="not all found"):
        limited.count  # noqa: B018
    fewest = slides(HARDEST)
    assert fewest.is_optimal
    assert len(fewest) == naive.count_slides(fewest.moves) == fewest.lower_bound == 20
    assert Board.of(HARDEST).moved(fewest.moves) == fewest.goal
    assert sum(letter.isalpha() for letter in fewest.text("runs")) == 20
    assert (fewest.metric, fewest.slides) == ("slides", 20)
    assert "20 slides, optimal" in fewest._repr_html_()


def test_textbook_searches_by_name() -> None:
    greedy = solve(HARDEST, algorithm="greedy", heuristic="hamming")
    start = tuple(Board(HARDEST).cells.tolist())
    assert naive.apply_moves(start, 3, greedy.moves) == (1, 2, 3, 4, 5, 6, 7, 8, 0)
    assert (greedy.algorithm, greedy.is_optimal) == ("greedy:hamming", False)
    assert greedy.lower_bound == Board(HARDEST).manhattan(Board.goal(3)) < 31 < len(greedy)
    shortest = solve(HARDEST, algorithm="breadth-first")
    assert (len(shortest), shortest.is_optimal) == (31, True)
    alone = solve(HARDEST, heuristic="hamming")
    assert (alone.algorithm, len(alone), alone.is_optimal) == ("a-star:hamming", 31, True)
    weighted = solve(HARDEST, algorithm="weighted-a-star:manhattan:2")
    assert weighted.lower_bound < len(weighted)
    with pytest.raises(TileworkError, match="takes no target"):
        solve(HARDEST, algorithm="greedy", target=0.1)


def test_many_boards_in_order_and_no_further_than_asked() -> None:
    taken = []

    def boards() -> Iterator[Board]:
        for seed in count():
            taken.append(seed)
            yield scramble(3, seed=seed)

    solutions = solve_many(boards())
    for seed in range(5):
        assert next(solutions).moves == solve(scramble(3, seed=seed)).moves
    solutions.close()
    assert len(taken) < 50
    mixed = [scramble(3, seed=1), scramble(10, seed=1), EASY]
    found = [solution.to_dict() for solution in solve_many(mixed, target="any")]
    assert [record["board"] for record in found] == [str(Board.of(board)) for board in mixed]
    assert all(record["length"] == len(record["moves"]) for record in found)
    solutions = solve_many([EASY, UNSOLVABLE, EASY])
    assert len(next(solutions)) == 4
    with pytest.raises(UnsolvableError) as info:
        next(solutions)
    assert info.value.__notes__ == ["board 1 of solve_many"]
    assert list(solutions) == []
    with pytest.raises(TileworkError, match="boards"):
        solve_many(EASY)


def test_program_ends_while_many_boards_are_being_solved() -> None:
    program = """if True:
        from tilework import scramble, solve_many

        hard = "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11"
        solutions = solve_many([scramble(2, seed=1), *[hard] * 9])
        print(len(next(solutions)))
    """
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=250, check=True)
    assert (ended.stdout, ended.stderr) == (f"{len(solve(scramble(2, seed=1)))}\n", "")


def test_notebooks_show_boards_and_play_solutions() -> None:
    assert ElementTree.fromstring(Board(EASY)._repr_svg_()).tag.endswith("svg")
    shown = solve(EASY)._repr_html_()
    assert re.search(r'src="data:image/gif;base64,[\w+/]+=*"', shown)
    assert "4 moves, optimal" in shown
    assert "LULU" in shown
    large = solve(scramble(40, seed=1), target="any")._repr_html_()
    assert len(large) < 10_000_000
    assert "<script" not in shown + large
