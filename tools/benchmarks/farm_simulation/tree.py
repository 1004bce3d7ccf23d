"""A tree that is as uneven as a real one and is searched without a search.

Every node has a number of nodes below it, which it deals out among its children by chance: by a
hash of the way to it, so that the same way always leads to the same number. So the search of a
billion nodes is a walk along one path. It stops at any node, goes on from there and is split as
real ones are, near the root and blind to the true sizes.

How uneven: the weights of siblings are log-normal. Of Korf's 24-puzzle #32 under the thresholds 93
and 95, along 24 ways that went down by the sizes of the subtrees, the median share of the larger
of two children was 0.87 and 0.77, that of the largest of three 0.62, of the third 0.09; here they
are 0.78, 0.64 and 0.08.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit

UNEVEN = 1.3
"""Standard deviation of the logarithm of a weight."""

CHILDREN = (1, 2, 2, 2, 3, 3, 3, 3, 3, 3)
"""How many children a node has, each as likely: on a 5×5 board, without the move back."""

STEP = 2
"""From one threshold to the next, in moves; the first one is as high."""

_ALL = 0b1111
_WORD = (1 << 64) - 1
_NORMAL = NormalDist()

_Node = tuple[int, int]
"""What its children are drawn by, and its nodes, itself included; none where it is cut off."""


class DrawnTree:
    """The trees of all thresholds of one board; the solution lies right behind the last one.

    A cursor has a byte for each node of a path: the move on, and a bit for each child untried.
    """

    def __init__(self, nodes: float, growth: float, seed: int) -> None:
        self._last = nodes * (1 - 1 / growth)  # of all nodes, those under the last threshold
        self._growth = growth
        self._key = _mixed(seed)
        self._thresholds = 1 + int(math.log(self._last, growth))

    def root(self) -> WorkUnit:
        return WorkUnit(bytes([_ALL]), 1.0)

    def search(self, threshold: int, cursor: bytes, nodes: int) -> SliceOutcome:
        """Walk on over so many nodes of a threshold's tree."""
        place = threshold // STEP
        if place > self._thresholds:
            return SliceOutcome(1, None, NO_MOVES, (), "drawn")
        size = 1 + round(self._last / self._growth ** (self._thresholds - place))
        path, untried = _read(cursor)
        along = [(self._key, size)]
        for move in path:
            along.append(_children(*along[-1])[move])
        left = nodes
        while untried:
            children = _children(*along[-1])
            waiting = untried[-1] & (1 << len(children)) - 1
            if not waiting:
                untried.pop()
                along.pop()
                del path[-1:]
                continue
            if left == 0:
                break
            move = (waiting & -waiting).bit_length() - 1
            untried[-1] ^= 1 << move
            child = children[move]
            if child[1] <= left:
                left -= child[1]
            else:
                left -= 1
                path.append(move)
                along.append(child)
                untried.append(_ALL)
        rest = (self._piece(path, untried),) if untried else ()
        return SliceOutcome(nodes - left, threshold + STEP, None, rest, "drawn")

    def split(self, _board: Board, cursor: bytes) -> tuple[WorkUnit, WorkUnit] | None:
        """Give away half of the ways left at the node nearest to the root that has any."""
        path, untried = _read(cursor)
        counts = self._counts(path)
        open_ = [rest & (1 << count) - 1 for rest, count in zip(untried, counts, strict=True)]
        if sum(rest.bit_count() for rest in open_) < 2:
            return None
        depth = next(depth for depth, rest in enumerate(open_) if rest)
        under_way = any(open_[depth + 1 :])
        given = 0
        for _ in range((open_[depth].bit_count() + under_way) // 2):
            given |= 1 << (open_[depth] & ~given).bit_length() - 1
        kept = [*untried[:depth], open_[depth] & ~given, *untried[depth + 1 :]]
        return self._piece(path, kept), self._piece(path[:depth], [0] * depth + [given])

    def _piece(self, path: Sequence[int], untried: Sequence[int]) -> WorkUnit:
        """Return a cursor and its share, by which all children of a node are alike."""
        share, left = 1.0, 0.0
        for count, rest in zip(self._counts(path), untried, strict=True):
            share /= count
            left += share * (rest & (1 << count) - 1).bit_count()
        steps = zip((*path, 0), untried, strict=True)
        return WorkUnit(bytes(move << 4 | rest for move, rest in steps), left)

    def _counts(self, path: Sequence[int]) -> list[int]:
        keys = [self._key]
        for move in path:
            keys.append(_child_key(keys[-1], move))
        return [CHILDREN[key % len(CHILDREN)] for key in keys]


def _read(cursor: bytes) -> tuple[list[int], list[int]]:
    return [step >> 4 for step in cursor[:-1]], [step & _ALL for step in cursor]


@lru_cache(maxsize=1 << 17)
def _children(key: int, size: int) -> tuple[_Node, ...]:
    """Deal the nodes of a subtree out, but for its root."""
    keys = [_child_key(key, move) for move in range(CHILDREN[key % len(CHILDREN)])]
    weights = [_weight(child) for child in keys]
    left, heavy = size - 1, sum(weights)
    sizes = []
    for weight in weights:
        sizes.append(round(left * weight / heavy) if heavy > weight else left)
        left -= sizes[-1]
        heavy -= weight
    return tuple(zip(keys, sizes, strict=True))


@lru_cache(maxsize=1 << 17)
def _child_key(key: int, move: int) -> int:
    return _mixed(key * 4 + move)


def _weight(key: int) -> float:
    return math.exp(UNEVEN * _NORMAL.inv_cdf(((key >> 11) + 0.5) / (1 << 53)))


def _mixed(key: int) -> int:
    """Return a number as good as random (SplitMix64)."""
    word = (key + 0x9E3779B97F4A7C15) & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31
