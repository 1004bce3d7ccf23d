"""Fewest slides, against published counts of boards at each distance and a search by layers."""

import random

import numpy as np
import pytest

from tests.support import layers as oracle
from tests.support.instances import read_level_counts
from tests.support.naive import count_slides
from tilework.core.errors import DamagedFileError, UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at, blank_last, spiral
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.result import Progress, SearchResult
from tilework.core.solver.slides.find import find_slides, ida_star_slides
from tilework.core.solver.slides.patterns import SlidePatterns, SlideTables, verify_sample
from tilework.core.solver.target import Target, TargetKind, relative_gap


def solve_all(width: int, height: int, share: float = 1.0) -> None:
    """Solve all boards of a size, or some of each layer, and check the published counts."""
    size, random_ = Size(width, height), random.Random(3)
    patterns = SlidePatterns(size, size.cells - 1)
    tables = SlideTables(patterns, patterns.build())
    layers = list(oracle.layers(width, height, whole_lines=True))
    assert [len(layer.boards) for layer in layers] == read_level_counts(width, height, "mtm")
    for depth, layer in enumerate(layers):
        boards = layer.boards.tolist()
        for packed in random_.sample(boards, round(share * len(boards))):
            board = Board(oracle.unpack_tiles(packed, size.cells), width, height)
            result = ida_star_slides(board, tables, Limits())
            assert result.lower_bound == depth
            assert count_slides(result.moves) == depth


@pytest.mark.parametrize(("width", "height", "share"), [(2, 2, 1), (3, 2, 0.3), (4, 2, 0.01)])
def test_small_boards(width: int, height: int, share: float) -> None:
    solve_all(width, height, share)


@pytest.mark.parametrize("size", [(3, 3), (2, 3)], ids=str)
def test_any_goal_is_reached_in_the_proven_number_of_slides(size: tuple[int, int]) -> None:
    for goal in (blank_last(Size(*size)), spiral(Size(*size)), blank_at(Size(*size), 1)):
        for seed in range(2):
            board = scramble(Size(*size), goal, seed)
            result = find_slides(board, goal)
            replay(board, result.moves, goal)
            assert result.optimal
            assert result.slides == count_slides(result.moves) == result.lower_bound


def test_search_on_a_larger_board_ends_when_its_target_in_slides_is_met(monkeypatch) -> None:
    monkeypatch.setattr("tilework.core.solver.optimal.ida_star._PROGRESS_INTERVAL_S", 0.0)
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, 1)
    limits = Limits(nodes=20_000)
    any_solution = find_slides(board, goal, target=Target(TargetKind.ANY), limits=limits)
    assert (any_solution.stopped_by, any_solution.statistics.generated) == (None, 0)
    gap = relative_gap(any_solution.lower_bound, any_solution.slides)
    for allowed, stopped_by in ((gap, None), (0.0, StopReason.NODES)):
        reports: list[Progress] = []
        target = Target(TargetKind.GAP, allowed)
        result = find_slides(board, goal, target=target, limits=limits, progress=reports.append)
        assert result.stopped_by is stopped_by
        for report in reports:
            assert report.lower_bound <= result.lower_bound
            assert report.upper_bound >= result.slides
    assert reports[0].upper_bound == any_solution.slides


def test_long_search_shortens_its_solution_before_the_proof(monkeypatch) -> None:
    size = Size(4, 3)
    goal = blank_last(size)
    board = scramble(size, goal, 3)
    alone = find_slides(board, goal)
    monkeypatch.setattr("tilework.core.solver.slides.find._EASY_NODES", 100)
    monkeypatch.setattr("tilework.core.solver.slides.find._BEAM_WIDTHS", (10, 50, 250))
    found: list[SearchResult] = []
    result = find_slides(board, goal, on_solution=found.append)
    assert (result.slides, result.lower_bound) == (alone.slides, alone.slides)
    # The first shortest solution is that of a beam, so the proof below it is the same.
    assert result.algorithm == "beam"
    proofs = [
        [(tree.threshold, tree.nodes, tree.next) for tree in search.thresholds]
        for search in (result, alone)
    ]
    assert proofs[0] == proofs[1]
    lengths = [count_slides(solution.moves) for solution in found]
    assert lengths == sorted(lengths, reverse=True)
    assert len(set(lengths)) > 1
    for solution in found:
        replay(board, solution.moves, goal)
    limited = find_slides(board, goal, limits=Limits(nodes=200))
    assert limited.stopped_by is StopReason.NODES
    assert limited.slides >= alone.slides


def test_stopped_search_returns_a_solution_and_a_bound() -> None:
    size = Size(4, 3)
    goal = blank_last(size)
    board = scramble(size, goal, 3)
    complete = find_slides(board, goal)
    stopped = find_slides(board, goal, limits=Limits(nodes=500))
    assert stopped.stopped_by is StopReason.NODES
    replay(board, stopped.moves, goal)
    assert complete.slides is not None
    assert 0 < stopped.lower_bound <= complete.slides <= count_slides(stopped.moves)
    cancelled = find_slides(board, goal, limits=Limits(cancelled=lambda: True))
    assert cancelled.stopped_by is StopReason.CANCELLED
    with pytest.raises(UnsolvableError):
        find_slides(Board([1, 2, 3, 4, 5, 6, 8, 7, 0], 3, 3), blank_last(Size(3, 3)))


def test_wrong_entry_is_found() -> None:
    patterns = SlidePatterns(Size(3, 2), 5)
    entries = patterns.build()
    verify_sample(patterns, entries, 200)
    goal = int(np.flatnonzero(entries == 0)[0])
    for wrong in (1, 7):
        damaged = entries.copy()
        damaged[goal] = wrong
        with pytest.raises(DamagedFileError):
            verify_sample(patterns, damaged, 1)
