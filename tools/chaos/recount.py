"""Checks that each slice was counted once, by comparing nodes with an uninterrupted search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import Canonical, canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.optimal.cursor import Cursor, CursorDifference, difference
from tilework.core.solver.optimal.slice import search_slice
from tools.chaos.history import History
from tools.chaos.records import Records

MAX_NODES: Final = 30_000_000
"""The maximum nodes of a threshold that is searched again."""

THRESHOLDS: Final = (
    "SELECT slice.solve_id AS solve, slice.epoch AS epoch, slice.threshold AS threshold, "
    "sum(slice.nodes) AS nodes, "
    "min(slice.engine) AS engine, max(slice.engine) AS other, count(*) AS slices "
    "FROM slice JOIN solve ON solve.id = slice.solve_id WHERE slice.kind = 'search' "
    "AND slice.state = 'done' AND slice.threshold < solve.lower_bound "
    "GROUP BY slice.solve_id, slice.epoch, slice.threshold "
    "HAVING sum(slice.nodes) < :max_nodes ORDER BY count(*) DESC, slice.solve_id, slice.threshold"
)

SLICES: Final = (
    "SELECT id, parent_id AS parent, cursor FROM slice WHERE kind = 'search' AND state = 'done' "
    "AND solve_id = :solve AND epoch = :epoch AND threshold = :threshold"
)


def find_wrong_counts(
    records: Records, history: History, pdb_folder: Path, limit: int, seed: int
) -> Iterator[str]:
    """Search some exhausted thresholds again; yield those with a different number of nodes.

    Half of them are the thresholds with the most slices, which were interrupted most often.
    """
    puzzles = {}
    for row in records.rows("SELECT id, solve_id FROM job"):
        # A damaged solve may keep slices of an unfinished threshold.
        if row.id in history.jobs and row.solve_id not in history.damaged_rows:
            puzzles[row.solve_id] = history.jobs[row.id].puzzle
    rows = [
        row
        for row in records.rows(THRESHOLDS, max_nodes=MAX_NODES)
        if row.solve in puzzles and row.engine is not None and row.engine == row.other
    ]
    sample, others = rows[: limit // 2], rows[limit // 2 :]
    sample += random.Random(seed).sample(others, min(len(others), limit - len(sample)))
    history.answers["counted again"] += len(sample)
    for row in sample:
        puzzle = puzzles[row.solve]
        size = Size(puzzle.side, puzzle.side)
        form = canonicalize(Board(puzzle.tiles, puzzle.side, puzzle.side), blank_last(size))
        slices = records.rows(SLICES, solve=row.solve, epoch=row.epoch, threshold=row.threshold)
        split = _split_tree(slices, form)
        if split is None:
            yield f"the slices of {row.solve} under {row.threshold} do not cover its tree once"
            continue
        first, remaining = split
        nodes = first.inner_nodes + sum(
            search_slice(
                *(form.board, form.goal, row.threshold, cursor, 2**62),
                pdb_folder=pdb_folder,
                engine=row.engine,
            ).nodes
            for cursor in (first.residual, remaining)
        )
        if nodes != row.nodes:
            yield (
                f"{row.slices} slices of {row.solve} under {row.threshold} count {row.nodes} "
                f"nodes, and one search of it {nodes}"
            )


def _split_tree(slices: list[Any], form: Canonical) -> tuple[CursorDifference, Cursor] | None:
    """Return the part that the first slice of a threshold searched, and the remaining part.

    A single search of the whole tree cannot be compared: the first slice of a long threshold orders
    the subtrees, and may use the tree from the goal instead. Then subtrees are searched even below
    nodes above the threshold.
    """
    roots = [slice_ for slice_ in slices if slice_.parent is None]
    if len(roots) != 1:
        return None
    cursors = [
        Cursor.from_bytes(bytes(slice_.cursor)) for slice_ in slices if slice_.parent == roots[0].id
    ]
    root = Cursor.from_bytes(bytes(roots[0].cursor))
    first = difference(root, cursors, form.board, form.goal)
    if first is None:
        return None
    positions = tuple(position for cursor in cursors for position in cursor.positions)
    return first, Cursor(positions, first.residual.goal_blank)
