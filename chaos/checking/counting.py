"""Whether each slice was counted once: the nodes of a record against one undisturbed search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from chaos.load.history import History
from chaos.system.database import Records
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.slice import search_slice

MOST_NODES: Final = 30_000_000
"""Of one threshold that is searched again."""

TOLD: Final = (
    "SELECT slice.solve_id AS solve, slice.threshold AS threshold, sum(slice.nodes) AS nodes, "
    "min(slice.engine) AS engine, max(slice.engine) AS other, count(*) AS slices "
    "FROM slice JOIN solve ON solve.id = slice.solve_id WHERE slice.kind = 'search' "
    "AND slice.state = 'done' AND slice.threshold < solve.lower_bound "
    "GROUP BY slice.solve_id, slice.epoch, slice.threshold "
    "HAVING sum(slice.nodes) < :most ORDER BY count(*) DESC, slice.solve_id, slice.threshold"
)


def wrong_counts(
    records: Records, history: History, pdb_folder: Path, most: int, seed: int
) -> Iterator[str]:
    """Search some proved thresholds again; tell which records count other nodes.

    Those in the most slices come first, as they were interrupted most.

    Parameters
    ----------
    most : int
        How many.
    """
    boards = {}
    for row in records.rows("SELECT id, solve_id FROM job"):
        # Of a damaged solve the slices of an unfinished threshold may be left.
        if row.id in history.jobs and row.solve_id not in history.damaged_rows:
            boards[row.solve_id] = history.jobs[row.id].puzzle
    rows = [
        row
        for row in records.rows(TOLD, most=MOST_NODES)
        if row.solve in boards and row.engine is not None and row.engine == row.other
    ]
    chosen = rows[: most // 2]
    rest = rows[most // 2 :]
    chosen += random.Random(seed).sample(rest, min(len(rest), most - len(chosen)))
    history.answers["counted again"] += len(chosen)
    for row in chosen:
        puzzle = boards[row.solve]
        size = Size(puzzle.side, puzzle.side)
        form = canonicalize(Board(puzzle.tiles, puzzle.side, puzzle.side), blank_last(size))
        whole = search_slice(
            form.board,
            form.goal,
            row.threshold,
            Cursor.root(),
            2**62,
            pdb_folder=pdb_folder,
            engine=row.engine,
        )
        if whole.nodes != row.nodes:
            yield (
                f"{row.slices} slices of {row.solve} under {row.threshold} count {row.nodes} "
                f"nodes, and one search of it {whole.nodes}"
            )
