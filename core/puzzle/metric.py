"""What the length of a solution counts, and what proves that none is shorter."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tilework.core.messages import Message
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.phrases import moves, slides

_PIECE = 1 << 20


def count_slides(moves: MoveSequence) -> int:
    slides = 0
    last = None
    for start in range(0, len(moves), _PIECE):
        piece = moves[start : start + _PIECE]
        slides += int((piece[1:] != piece[:-1]).sum()) + (piece[0] != last)
        last = piece[-1]
    return int(slides)


_IN_SLIDES: Final = ":slides"
PRIVATE_MARK: Final = ":apart:"
"""In the keys of what is found for one job alone."""


class Metric(StrEnum):
    """``moves`` of single tiles, or ``slides``: tiles of a line that go together count once.

    Mirroring both boards, renaming tiles and exchanging start and goal keep either length, so that
    canonical forms serve both.
    """

    MOVES = "moves"
    SLIDES = "slides"

    def length(self, found: MoveSequence) -> int:
        return count_slides(found) if self is Metric.SLIDES else len(found)

    def describe(self, length: int) -> Message:
        return slides(length) if self is Metric.SLIDES else moves(length)

    def bound(self, least: int, size: Size) -> int:
        """Return how long every solution is at least that has at least so many moves."""
        if self is Metric.MOVES:
            return least
        # A slide moves at most a whole line but for the blank.
        return -(-least // max(1, max(size) - 1))

    def moves_for(self, bound: int, size: Size) -> int:
        """Return the least number of moves from which `bound` makes a bound."""
        if self is Metric.MOVES or bound == 0:
            return bound
        return (bound - 1) * max(1, max(size) - 1) + 1

    def key(self, puzzle: str, apart: str = "") -> str:
        """Return the key of what is known of a canonical puzzle in this metric, by its own key.

        With ``apart``, an id, it is the key of what is found for one job alone.
        """
        named = f"{puzzle}{PRIVATE_MARK}{apart}" if apart else puzzle
        return named + _IN_SLIDES if self is Metric.SLIDES else named

    @classmethod
    def from_key(cls, key: str) -> Metric:
        return cls.SLIDES if key.endswith(_IN_SLIDES) else cls.MOVES

    @classmethod
    def names(cls, key: str, puzzle: str) -> bool:
        """Whether `key` made this key of a canonical puzzle's own."""
        metric = cls.from_key(key)
        _, _, apart = key.removesuffix(_IN_SLIDES).partition(PRIVATE_MARK)
        return metric.key(puzzle, apart) == key


class BoundProof(StrEnum):
    """What proves a lower bound: of several that do, the simplest.

    ``manhattan``: the tiles' distances. ``linear-conflict``: with the tiles that must leave their
    line. ``tile-groups``: with small groups of tiles that get in each other's way. ``search``: a
    search for anything shorter, or the estimate that it begins with.
    """

    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    TILE_GROUPS = "tile-groups"
    SEARCH = "search"


def proof_name(proof: BoundProof) -> Message:
    """Say what proves a lower bound without a search."""
    return {
        BoundProof.MANHATTAN: Message("proof-manhattan", "Manhattan distance"),
        BoundProof.LINEAR_CONFLICT: Message("proof-linear-conflict", "linear conflict"),
        BoundProof.TILE_GROUPS: Message("proof-tile-groups", "tile groups"),
    }[proof]
