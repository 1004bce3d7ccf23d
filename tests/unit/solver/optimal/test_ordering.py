"""A tree that is put in order is searched whole, the likely parts first, and proves as much."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from tests.support.instances import instances
from tests.unit.solver.optimal.recording import pieces_of, slice_record
from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.replay import replay
from tilework.core.solver.optimal import ordering
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.ordering import order_tree
from tilework.core.solver.optimal.proof.claims import claims_of
from tilework.core.solver.optimal.proof.redo import redo
from tilework.core.solver.optimal.slice import search_slice
from tilework.core.solver.optimal.tree import tree_from_board

GOAL = blank_first(Size(4, 4))
KORF = instances("korf100_15puzzle.txt")
FAR = sorted(KORF, key=lambda one: one.length)[-3:]


@pytest.fixture(autouse=True)
def small_trees(monkeypatch):
    """Put trees of thousands of nodes in order, not of hundreds of millions."""
    monkeypatch.setattr(ordering, "LEAST_ORDERED_NODES", 60_000)
    monkeypatch.setattr(ordering, "COMPARED_NODES", 3_000)
    monkeypatch.setattr(ordering, "COUNTED_NODES", 3_000)
    monkeypatch.setattr(ordering, "MOST_POSITIONS", 50)


def never():
    return False


def searched(board, threshold, cursor, folder):
    return search_slice(board, GOAL, threshold, cursor, 1 << 40, pdb_folder=folder)


def ordered(board, threshold, folder, workers=1, cancelled=never):
    tree = tree_from_board(board, GOAL, engine_for(GOAL, folder))
    return order_tree(tree, lambda: None, threshold, workers=workers, cancelled=cancelled)


@pytest.mark.parametrize("one", FAR, ids=lambda one: one.name)
def test_what_is_left_and_what_lies_above_it_are_the_tree(one, pattern_databases):
    board, threshold = Board(one.tiles, 4, 4), one.length - 2
    whole = searched(board, threshold, Cursor.root(), pattern_databases)
    found = ordered(board, threshold, pattern_databases)
    slices = [slice_record(0, None, Cursor.root(), found)]
    parts = [Cursor.from_bytes(left.cursor) for left in found.remaining]
    assert len(parts) > 1
    for number, cursor in enumerate([one for part in parts for one in pieces_of(part, 3)], 1):
        slices.append(
            slice_record(number, 0, cursor, searched(board, threshold, cursor, pattern_databases))
        )
    assert len(slices) > 10
    assert 0.5 < sum(left.share for left in found.remaining) <= 1
    tree = ThresholdRecord(
        threshold=threshold,
        nodes=sum(one.nodes for one in slices),
        seconds=1.0,
        next=whole.next_threshold,
        slices=slices,
    )
    # All of a subtree is searched, also below a node that is over the threshold.
    assert 0 <= tree.nodes - whole.nodes < 10_000
    claims = claims_of(board, GOAL, whole.next_threshold, [tree])
    assert len(claims) == len(slices)
    for claim in claims:
        redo(board, GOAL, claim, pattern_databases)


def order_of(found):
    """All parts as one, which takes from each in turn."""
    parts = [Cursor.from_bytes(left.cursor).positions for left in found.remaining]
    taken = [one for row in zip_longest(*parts) for one in row if one is not None]
    return Cursor(tuple(taken))


def test_solutions_are_mostly_met_sooner(pattern_databases):
    before = after = 0
    for one in KORF:
        board = Board(one.tiles, 4, 4)
        found = ordered(board, one.length, pattern_databases)
        if found is None:
            continue
        before += searched(board, one.length, Cursor.root(), pattern_databases).nodes
        whole = order_of(found)
        met = searched(board, one.length, whole, pattern_databases)
        replay(board, met.moves, GOAL)
        after += met.nodes
    assert before > 10_000_000
    assert after < 0.7 * before


def test_short_thresholds_are_not_worth_it(pattern_databases):
    board, length = Board(FAR[0].tiles, 4, 4), FAR[0].length
    assert ordered(board, length, pattern_databases) is not None
    assert ordered(board, length - 14, pattern_databases) is None
    assert ordered(board, length, pattern_databases, workers=10_000) is None


def test_nobody_waits_for_it_who_is_to_stop(pattern_databases):
    board, length = Board(FAR[0].tiles, 4, 4), FAR[0].length
    assert ordered(board, length, pattern_databases, cancelled=lambda: True) is None
