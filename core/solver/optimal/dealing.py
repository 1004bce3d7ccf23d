"""The tree of a long threshold, dealt out in pieces: those that a solution is likely in first.

Under the last threshold the search ends where it meets a solution, so that the order decides how
much of the tree is searched, by one worker or by many. The order is that of
`tilework.core.solver.optimal.subtrees`, by thresholds far below: they are searched in a moment, and
the order that they give is nearly as good as that of the threshold before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.optimal.confirmation import confirm
from tilework.core.solver.optimal.cursor import Cursor, Position
from tilework.core.solver.optimal.engines import Engine, Start
from tilework.core.solver.optimal.proof.difference import difference
from tilework.core.solver.optimal.slice import least_over
from tilework.core.solver.optimal.subtrees import MOST_CELLS, SubtreeWalk, top_of
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.strategy import LEAST_DEALT_NODES

PLANNED_NODES = 2_000_000
"""The order is that of the first threshold with so many nodes."""

PIECE_NODES = 25_000_000
"""About a second of one worker."""

MOST_PIECES = 64

_AHEAD = 4
"""Moves that the thresholds of the order stay below: more would take a good part of the search."""

_GROWTH = 8.0
"""Of the nodes from one threshold to the next."""


def deal(
    engine: Engine,
    start: Start,
    threshold: int,
    *,
    workers: int = 1,
    cancelled: Callable[[], bool],
) -> SliceOutcome | None:
    """Deal out the whole tree of a threshold, all lower ones of which hold no solution.

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
        What remains are the pieces, in the order in which they are to be searched; searched are
        only the nodes above them. None where the threshold is too short to be worth it.

    Raises
    ------
    DamagedFileError
        If the pattern databases were changed meanwhile.
    """
    cells = start.board.size.cells
    if cells > MOST_CELLS or start.estimate <= top_of(cells):
        return None
    walk = SubtreeWalk(engine, start, start.estimate)
    nodes = _count(walk, threshold - _AHEAD, cancelled)
    if nodes is None:
        return None
    expected = nodes * _GROWTH ** ((threshold - walk.threshold) / 2)
    if expected < LEAST_DEALT_NODES * max(1, workers):
        return None
    walk.begin(threshold)
    cursors = _dealt(walk.subtrees(), min(MOST_PIECES, int(expected / PIECE_NODES)))
    return _outcome(engine, start, threshold, cursors)


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
        if nodes >= PLANNED_NODES or following > highest:
            return nodes
        walk.begin(following)
    return None


def _dealt(subtrees: Iterable[tuple[Position, int]], count: int) -> list[Cursor]:
    """Cut an order of subtrees into parts of about as many nodes, as they are known by now."""
    # One more each, for those that were over the threshold.
    weighed = [(position, nodes + 1) for position, nodes in subtrees if position.moves]
    total = sum(weight for _, weight in weighed)
    parts: list[list[Position]] = [[] for _ in range(count)]
    before = 0
    for position, weight in weighed:
        parts[before * count // total].append(position)
        before += weight
    return [Cursor(tuple(part)) for part in parts if part]


def _outcome(
    engine: Engine, start: Start, threshold: int, cursors: list[Cursor]
) -> SliceOutcome | None:
    """Search what lies above the pieces; None if that holds a solution."""
    above = difference(Cursor.root(), cursors)
    if above is None:
        raise ValueError("the pieces overlap")
    walk = Walk(engine, start, threshold, above.rest)
    if walk.search(engine.chunk) == FOUND:
        return None
    confirm(engine, start, None)
    nodes = above.passed + int(walk.report[GENERATED])
    pieces = tuple(Piece(cursor.to_bytes(), cursor.share(start.board)) for cursor in cursors)
    return SliceOutcome(nodes, least_over(walk), None, pieces, engine.name)
