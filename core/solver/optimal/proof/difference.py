"""What a cursor covers beyond what is left of it: the part of a tree that a slice searched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilework.core.solver.optimal.cursor import Cursor, Position

_ALL_MOVES = 0b1111


@dataclass(frozen=True, slots=True)
class Searched:
    """What lies in one cursor and not in others.

    Attributes
    ----------
    rest : Cursor
        Positions whose trees hold all of it but for the nodes passed.
    passed : int
        Nodes on the way from the one cursor down to the others.
    """

    rest: Cursor
    passed: int


def difference(whole: Cursor, remains: Iterable[Cursor]) -> Searched | None:
    """Take what is left away from a cursor.

    The whole tree from the board may be handed back as the one from the goal: either holds all
    solutions.

    Returns
    -------
    Searched or None
        None where what is left does not lie in the cursor, or overlaps.
    """
    handed_back = list(remains)
    ends = {cursor.goal_blank for cursor in handed_back}
    if whole == Cursor.root() and len(ends) == 1:
        whole = Cursor.root(goal_blank=ends.pop())
    elif not ends <= {whole.goal_blank}:
        return None
    left: dict[bytes, int] = {}
    for path, moves in (position for cursor in handed_back for position in cursor.positions):
        if left.get(path, 0) & moves:
            return None
        left[path] = left.get(path, 0) | moves
    inner: set[bytes] = set()
    for path in left:
        # Neighbours have most of their paths in common.
        depth = len(path)
        while depth >= 0 and path[:depth] not in inner:
            inner.add(path[:depth])
            depth -= 1
    searched: list[Position] = []
    passed = 0
    # Each with the untried moves of what is taken from, there.
    waiting = [(path, moves) for path, moves in reversed(whole.positions)]
    while waiting:
        path, moves = waiting.pop()
        here = left.pop(path, 0)
        ways = [move for move in range(4) if moves >> move & 1 and path + bytes([move]) in inner]
        entered = sum(1 << move for move in ways)
        if here & ~moves or here & entered:
            return None
        if fresh := moves & ~here & ~entered:
            searched.append(Position(path, fresh))
        passed += len(ways)
        waiting += [(path + bytes([move]), _ALL_MOVES) for move in ways]
    return None if left else Searched(Cursor(tuple(searched), whole.goal_blank), passed)
