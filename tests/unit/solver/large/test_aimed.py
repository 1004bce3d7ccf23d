"""Beams aimed at one length: the narrowest that does finds it, within the limits of all."""

from __future__ import annotations

import pytest

from tests.support import naive
from tests.support.instances import instances
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.aiming import LEAST_AIMED_WIDTH
from tilework.core.solver.large import aimed
from tilework.core.solver.large.aimed import PARTS, aim

KORF_15 = instances("korf100_15puzzle.txt")[:5]
WIDE = max(PARTS) * LEAST_AIMED_WIDTH


@pytest.fixture
def widths(monkeypatch):
    """The widths of the beams that were begun."""
    begun = []
    beam_search = aimed.beam_search

    def noted(board, goal, width, **options):
        begun.append(width)
        return beam_search(board, goal, width, **options)

    monkeypatch.setattr(aimed, "beam_search", noted)
    return begun


def boards_of(instance):
    goal = Board([*range(16)])
    return Board(instance.tiles, instance.width, instance.height), goal


@pytest.mark.parametrize("instance", KORF_15, ids=lambda one: one.name)
def test_a_solution_of_the_length_is_found_and_none_that_is_shorter(
    instance, pattern_databases, widths
):
    board, goal = boards_of(instance)
    found = aim(board, goal, instance.length, WIDE, pdb_folder=pattern_databases)
    reached = naive.played(tuple(board.cells.tolist()), board.width, to_letters(found.moves))
    assert reached == tuple(goal.cells.tolist())
    assert len(found.moves) == instance.length
    assert widths == sorted(widths)
    widths.clear()
    shorter = aim(board, goal, instance.length - 2, WIDE, pdb_folder=pattern_databases)
    assert (shorter.moves, shorter.stopped_by) == (None, None)
    assert widths == [WIDE // part for part in PARTS]


def test_no_beam_is_too_narrow_to_find_anything_new(pattern_databases, widths):
    board, goal = boards_of(KORF_15[0])
    aim(board, goal, KORF_15[0].length - 2, LEAST_AIMED_WIDTH + 1, pdb_folder=pattern_databases)
    assert widths == [LEAST_AIMED_WIDTH + 1]


def test_all_beams_together_keep_to_a_limit_of_nodes(pattern_databases, widths):
    board, goal = boards_of(KORF_15[0])
    length = KORF_15[0].length - 2
    first = aim(board, goal, length, LEAST_AIMED_WIDTH, pdb_folder=pattern_databases)
    limits = Limits(nodes=first.nodes + 1)
    widths.clear()
    found = aim(board, goal, length, WIDE, limits=limits, pdb_folder=pattern_databases)
    assert found.stopped_by is StopReason.NODES
    assert widths == [WIDE // part for part in PARTS[:2]]
    # Limits are checked every few thousand boards.
    assert limits.nodes <= found.nodes < limits.nodes + 50_000


def test_what_ends_the_first_beam_ends_all(widths):
    board, goal = boards_of(KORF_15[0])
    limits = Limits(cancelled=lambda: True)
    assert aim(board, goal, 57, WIDE, limits=limits).stopped_by is StopReason.CANCELLED
    assert len(widths) == 1
