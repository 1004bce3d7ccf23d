"""Lengths against a table of all 181,440 boards: exact where promised, never too short elsewhere.

On a random board a search with a poor estimate takes a second and more. So most pairs are tried on
boards a few moves from the goal; all pairs on random boards are left to the tests marked slow.
"""

from __future__ import annotations

import pytest

from tests.unit.lab.boards import depth_of, random_boards, walked_boards
from tests.unit.lab.running import run_of
from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS, LabAlgorithm, LabHeuristic

BOARDS = 300

PAIRS = [
    Method.of(name, heuristic)
    for name, facts in ALGORITHMS.items()
    for heuristic in (LabHeuristic if facts.informed else [None])
]
PROMISING = [method for method in PAIRS if method.promises_optimum]
OTHERS = [method for method in PAIRS if not method.promises_optimum]

DEFAULTS = [Method.of(name) for name in ALGORITHMS]
PROMISING_DEFAULTS = [method for method in DEFAULTS if method.promises_optimum]
OTHER_DEFAULTS = [method for method in DEFAULTS if not method.promises_optimum]

QUICK_WITHOUT_ESTIMATE = LabAlgorithm.BIDIRECTIONAL
# Without a table of known boards they follow every path; a poor estimate leaves too many of them.
WITHOUT_TABLE = (LabAlgorithm.A_STAR_PARENT, LabAlgorithm.IDA_STAR)
POOR = (LabHeuristic.ZERO, LabHeuristic.HAMMING)


def by_text(methods):
    return pytest.mark.parametrize("method", methods, ids=lambda method: method.text)


@by_text(PROMISING_DEFAULTS)
def test_what_promises_the_optimum_finds_it_on_300_boards(method):
    is_quick = method.heuristic is not None or method.algorithm is QUICK_WITHOUT_ESTIMATE
    check_optimal(method, random_boards(BOARDS) if is_quick else walked_boards(BOARDS))


@by_text(PROMISING)
def test_every_pair_that_promises_the_optimum_finds_it(method):
    check_optimal(method, walked_boards(32))


@by_text(OTHERS)
def test_every_other_pair_finds_a_solution_or_none_and_never_one_too_short(method):
    # Depth first, a solution has tens of thousands of moves.
    boards = walked_boards(16)
    check_not_too_short(method, boards[-3:] if method.heuristic is None else boards)


@by_text([method for method in OTHER_DEFAULTS if method.heuristic is not None])
def test_what_promises_nothing_still_solves_random_boards(method):
    check_not_too_short(method, random_boards(60))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@by_text(PROMISING)
def test_every_pair_that_promises_the_optimum_finds_it_on_300_boards(method):
    is_endless = method.algorithm in WITHOUT_TABLE and method.heuristic in POOR
    check_optimal(method, walked_boards(BOARDS) if is_endless else random_boards(BOARDS))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@by_text([method for method in OTHERS if method.algorithm is not LabAlgorithm.DEPTH_FIRST])
def test_every_other_pair_is_never_too_short_on_random_boards(method):
    check_not_too_short(method, random_boards(40))


def check_optimal(method, boards):
    for tiles in boards:
        result = run_of(tiles, method)
        assert (len(result.moves), result.optimal) == (depth_of(tiles), True), tiles


def check_not_too_short(method, boards):
    for tiles in boards:
        result = run_of(tiles, method)
        assert not result.optimal
        if ALGORITHMS[method.algorithm].complete:
            assert result.moves is not None
        assert result.moves is None or len(result.moves) >= depth_of(tiles), tiles
