"""Whether each slice was counted once: the nodes of a record against one undisturbed search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.optimal.cursor import Cursor, SearchedPart, difference
from tilework.core.solver.optimal.slice import search_slice
from tools.chaos.load.history import History
from tools.chaos.system.database import Records

MOST_NODES: Final = 30_000_000
"""Of one threshold that is searched again."""

TOLD: Final = (
    "SELECT slice.solve_id AS solve, slice.epoch AS epoch, slice.threshold AS threshold, "
    "sum(slice.nodes) AS nodes, "
    "min(slice.engine) AS engine, max(slice.engine) AS other, count(*) AS slices "
    "FROM slice JOIN solve ON solve.id = slice.solve_id WHERE slice.kind = 'search' "
    "AND slice.state = 'done' AND slice.threshold < solve.lower_bound "
    "GROUP BY slice.solve_id, slice.epoch, slice.threshold "
    "HAVING sum(slice.nodes) < :most ORDER BY count(*) DESC, slice.solve_id, slice.threshold"
)

SLICES: Final = (
    "SELECT id, parent_id AS parent, cursor FROM slice WHERE kind = 'search' AND state = 'done' "
    "AND solve_id = :solve AND epoch = :epoch AND threshold = :threshold"
)


def wrong_counts(
    records: Records, history: History, pdb_folder: Path, most: int, seed: int
) -> Iterator[str]:
    """Search some proved thresholds again; tell which records count other nodes.

    Those in the most slices come first, as they were interrupted most.
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
        slices = records.rows(SLICES, solve=row.solve, epoch=row.epoch, threshold=row.threshold)
        cursors = undisturbed(slices)
        if cursors is None:
            yield f"the slices of {row.solve} under {row.threshold} do not cover its tree once"
            continue
        above, left = cursors
        nodes = above.inner_nodes
        for cursor in (above.residual, left):
            nodes += search_slice(
                form.board,
                form.goal,
                row.threshold,
                cursor,
                2**62,
                pdb_folder=pdb_folder,
                engine=row.engine,
            ).nodes
        if nodes != row.nodes:
            yield (
                f"{row.slices} slices of {row.solve} under {row.threshold} count {row.nodes} "
                f"nodes, and one search of it {nodes}"
            )


def undisturbed(slices: list[Any]) -> tuple[SearchedPart, Cursor] | None:
    """Return what the first slice of a threshold searched, and all that it left.

    The first slice of a long threshold may leave the other tree of the puzzle, that from its goal,
    and puts its subtrees in order: all of a subtree is searched, also where it lies below a node
    that is over the threshold. So a search of the whole tree is no measure, in neither direction.
    """
    first = [one for one in slices if one.parent is None]
    if len(first) != 1:
        return None
    pieces = [Cursor.from_bytes(bytes(one.cursor)) for one in slices if one.parent == first[0].id]
    above = difference(Cursor.from_bytes(bytes(first[0].cursor)), pieces)
    if above is None:
        return None
    positions = tuple(position for piece in pieces for position in piece.positions)
    return above, Cursor(positions, above.residual.goal_blank)
