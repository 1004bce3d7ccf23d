"""A threshold that threads share: the same proof as one thread's, and the same each time."""

from __future__ import annotations

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.kernels.constants import EXHAUSTED, EXPANDED, GENERATED, NEXT_THRESHOLD
from tilework.core.solver.names import Heuristic
from tilework.core.solver.optimal import ordering
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import LineEngine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.walk import Walk

GOAL = blank_last(Size(6, 3))
BOARD = scramble(GOAL.size, GOAL, seed=4, moves=80)
LINES = Heuristic.LINEAR_CONFLICT


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Thresholds are shared from their first thousand nodes on."""
    monkeypatch.setattr(LineEngine, "chunk", 1_000)


def searched(threads, **options):
    return ida_star(BOARD, GOAL, threads=threads, heuristic=LINES, **options)


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_prove_the_same_length(threads):
    alone = searched(1)
    together = [searched(threads) for _ in range(3)]
    for found in together:
        replay(BOARD, found.moves, GOAL)
        assert found.lower_bound == alone.lower_bound == found.upper_bound
    assert len({(found.moves.tobytes(), found.statistics.generated) for found in together}) == 1


def test_threads_take_the_same_nodes_for_a_threshold_without_a_solution():
    optimum = searched(1).lower_bound
    engine = engine_for(GOAL, heuristic=LINES)
    start = engine.start(BOARD)
    threshold, generated, expanded = start.estimate, 0, 0
    while threshold < optimum:
        walk = Walk(engine, start, threshold, Cursor.root())
        assert walk.search(1 << 40) == EXHAUSTED
        generated += int(walk.report[GENERATED])
        expanded += int(walk.report[EXPANDED])
        threshold = int(walk.report[NEXT_THRESHOLD])
    together = searched(3, upper_bound=optimum)
    assert (together.moves, together.lower_bound) == (None, optimum)
    assert together.statistics.generated == generated > 50_000
    assert together.statistics.expanded == expanded


def test_threads_share_a_tree_in_order(monkeypatch):
    alone = searched(1)
    plain = searched(3)
    monkeypatch.setattr(ordering, "LEAST_ORDERED_NODES", 1_000)
    monkeypatch.setattr(ordering, "COUNTED_NODES", 1_000)
    together = [searched(3) for _ in range(2)]
    for found in together:
        replay(BOARD, found.moves, GOAL)
        assert found.lower_bound == alone.lower_bound == found.upper_bound
    assert len({(found.moves.tobytes(), found.statistics.generated) for found in together}) == 1
    assert together[0].statistics.generated != plain.statistics.generated
    optimum = alone.lower_bound
    assert searched(3, upper_bound=optimum).lower_bound == optimum


def test_a_limit_of_nodes_is_kept_by_all_together():
    ended = [searched(2, limits=Limits(nodes=20_000)) for _ in range(2)]
    for found in ended:
        assert found.stopped_by is StopReason.NODES
        assert 20_000 <= found.statistics.generated < 20_500
    assert ended[0].lower_bound == ended[1].lower_bound


def test_a_cancel_ends_all():
    found = searched(2, limits=Limits(cancelled=lambda: True))
    assert found.stopped_by is StopReason.CANCELLED
    assert found.moves is None
