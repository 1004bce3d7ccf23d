"""The tree of a long threshold in order: the subtrees that a solution is likely in first.

Under the last threshold the search ends where it meets a solution, so that the order decides how
much of the tree is searched, by one worker or by many. The order is that of
`tilework.core.solver.optimal.subtrees`, by thresholds far below: they are searched in a moment, and
the order that they give is nearly as good as that of the threshold before.
"""

from __future__ import annotations

from collections.abc import Callable

from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    GENERATED,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.optimal.confirmation import confirm
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine, Start
from tilework.core.solver.optimal.proof.difference import difference
from tilework.core.solver.optimal.slice import least_over
from tilework.core.solver.optimal.subtrees import MOST_CELLS, SubtreeWalk, top_of
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.strategy import LEAST_ORDERED_NODES

COUNTED_NODES = 2_000_000
"""The order is that of the first threshold with so many nodes."""

MOST_POSITIONS = 600
"""Of a piece: it is written and read with each slice, which takes some hundredths of a second."""

_BELOW = 4
"""Moves that the thresholds of the order stay below: more would take a good part of the search."""

_GROWTH = 8.0
"""Of the nodes from one threshold to the next."""


def order_tree(
    engine: Engine,
    start: Start,
    threshold: int,
    *,
    workers: int = 1,
    cancelled: Callable[[], bool],
) -> SliceOutcome | None:
    """Put the whole tree of a threshold in order, all lower ones of which hold no solution.

    Parameters
    ----------
    engine : Engine
    start : Start
        The board, laid out for the engine.
    threshold : int
    workers : int
        That are to search.
    cancelled : callable
        Called about every tenth of a second; True ends it with None.

    Returns
    -------
    SliceOutcome or None
        What remains are a few pieces, each in order, as are the halves that it is split in; only
        the nodes above them were searched. None where the threshold is too short to be worth it.

    Raises
    ------
    DamagedFileError
        If the pattern databases were changed meanwhile.
    """
    cells = start.board.size.cells
    if cells > MOST_CELLS or start.estimate <= top_of(cells):
        return None
    walk = SubtreeWalk(engine, start, start.estimate, top_of(cells))
    nodes = _count(walk, threshold - _BELOW, cancelled)
    if nodes is None:
        return None
    expected = nodes * _GROWTH ** ((threshold - walk.threshold) / 2)
    if expected < LEAST_ORDERED_NODES * max(1, workers):
        return None
    walk.begin(threshold)
    return _outcome(engine, start, threshold, walk.left())


def _count(walk: SubtreeWalk, highest: int, cancelled: Callable[[], bool]) -> int | None:
    """Search thresholds up to one with enough nodes; return these, or None if there is none."""
    while walk.threshold <= highest:
        nodes, status = 0, OUT_OF_BUDGET
        while status == OUT_OF_BUDGET and not cancelled():
            status = walk.search(walk.engine.chunk)
            nodes += int(walk.report[GENERATED])
        if status != EXHAUSTED:
            return None
        following = int(walk.report[NEXT_THRESHOLD])
        if nodes >= COUNTED_NODES or following > highest:
            return nodes
        walk.begin(following)
    return None


def _outcome(engine: Engine, start: Start, threshold: int, left: Cursor) -> SliceOutcome | None:
    """Search what lies above a cursor, some thousand nodes; None if that holds a solution."""
    above = difference(Cursor.root(), [left])
    if above is None:
        raise ValueError("the subtrees overlap")
    walk = Walk(engine, start, threshold, above.rest)
    if walk.search(engine.chunk) != EXHAUSTED:
        return None
    confirm(engine, start, None)
    nodes = above.passed + int(walk.report[GENERATED])
    pieces = tuple(Piece(part.to_bytes(), part.share(start.board)) for part in _parts(left))
    return SliceOutcome(nodes, least_over(walk), None, pieces, engine.name)


def _parts(cursor: Cursor) -> list[Cursor]:
    """Halve a cursor until its parts are short enough; both halves keep its order."""
    halves = cursor.split() if len(cursor.positions) > MOST_POSITIONS else None
    return [cursor] if halves is None else [part for half in halves for part in _parts(half)]
