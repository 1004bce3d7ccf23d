"""Nodes of slices are right where each was counted once, whichever tree they searched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chaos.checking.counting import wrong_counts
from chaos.load.boards import Puzzle
from chaos.load.history import History, Job
from chaos.system.database import Records
from tests.unit.solver.optimal.recording import pieces_of
from tests.unit.solver.optimal.walks import walked
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.optimal import ordering
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.ordering import order_tree
from tilework.core.solver.optimal.slice import search_slice
from tilework.core.solver.optimal.tree import tree_from_board, tree_from_goal
from tilework.core.solver.piece import SliceOutcome

GOAL = blank_last(Size(5, 5))
# In 58 moves, with fewer nodes from the goal. A solve is of the canonical board.
BOARD = canonicalize(walked(GOAL, 100, 0), GOAL).board
THRESHOLD = 56
TREES = {
    "in slices": lambda folder: searched(Cursor.root(), folder, 20_000),
    "in order": lambda folder: ordered(folder, both=False),
    "from the goal": lambda folder: ordered(folder, both=True),
}


@pytest.fixture(autouse=True)
def small_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "COMPARED_NODES", 3_000)
    monkeypatch.setattr(ordering, "COUNTED_NODES", 3_000)
    monkeypatch.setattr(ordering, "LEAST_ORDERED_NODES", 30_000)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    found = Records(f"sqlite:///{tmp_path / 'records.sqlite'}")
    found.change(
        "CREATE TABLE job (id, solve_id)",
        "CREATE TABLE solve (id, lower_bound)",
        "CREATE TABLE slice (id, parent_id, solve_id, epoch, kind, state, threshold, nodes, "
        "engine, cursor)",
        "INSERT INTO job VALUES ('job', 'solve')",
        f"INSERT INTO solve VALUES ('solve', {THRESHOLD + 2})",
    )
    yield found
    found.dispose()


def searched(cursor: Cursor, folder: Path, budget: int = 1 << 40) -> SliceOutcome:
    return search_slice(BOARD, GOAL, THRESHOLD, cursor, budget, pdb_folder=folder)


def ordered(folder: Path, *, both: bool) -> SliceOutcome:
    ahead = tree_from_board(BOARD, GOAL, engine_for(GOAL, folder))
    back = tree_from_goal(BOARD, GOAL, ahead.engine, folder) if both else None
    found = order_tree(ahead, lambda: back, THRESHOLD, cancelled=lambda: False)
    assert found is not None
    return found


def keep(records: Records, number: int, parent: int | None, cursor: Cursor, nodes: int) -> None:
    records.change(
        "INSERT INTO slice VALUES (:id, :parent, 'solve', 0, 'search', 'done', :threshold, "
        ":nodes, '5x5 5-5-5-5-4 r10', :cursor)",
        id=number,
        parent=parent,
        threshold=THRESHOLD,
        nodes=nodes,
        cursor=cursor.to_bytes(),
    )


def wrongs(records: Records, folder: Path) -> list[str]:
    history = History()
    history.accept(Job("job", 0, Puzzle(5, BOARD.cells), None, []))
    found = list(wrong_counts(records, history, folder, 1, 0))
    assert history.answers["counted again"] == 1
    return found


@pytest.mark.parametrize("tree", TREES)
def test_nodes_counted_twice_or_not_at_all_are_told(
    tree: str, records: Records, pattern_databases: Path
) -> None:
    first = TREES[tree](pattern_databases)
    keep(records, 0, None, Cursor.root(), first.nodes)
    pieces = [
        piece for left in first.remaining for piece in pieces_of(Cursor.from_bytes(left.cursor), 3)
    ]
    assert len(pieces) > 3
    assert {piece.goal_blank for piece in pieces} == {24 if tree == "from the goal" else None}
    for number, piece in enumerate(pieces, 1):
        keep(records, number, 0, piece, searched(piece, pattern_databases).nodes)
    assert wrongs(records, pattern_databases) == []
    records.change("UPDATE slice SET nodes = nodes + 1 WHERE id = 2")
    [told] = wrongs(records, pattern_databases)
    assert "nodes, and one search of it" in told
    keep(records, 99, 0, pieces[0], 0)
    [told] = wrongs(records, pattern_databases)
    assert "do not cover its tree once" in told
