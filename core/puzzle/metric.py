"""Metrics of solution length, and kinds of proof of a lower bound."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tilework.core.messages import Message
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.phrases import moves, slides

_CHUNK = 1 << 20


def count_slides(moves: MoveSequence) -> int:
    slides = 0
    last = None
    for start in range(0, len(moves), _CHUNK):
        chunk = moves[start : start + _CHUNK]
        slides += int((chunk[1:] != chunk[:-1]).sum()) + (chunk[0] != last)
        last = chunk[-1]
    return int(slides)


_IN_SLIDES: Final = ":slides"
PRIVATE_MARK: Final = ":apart:"  # in the keys of solves that serve a single job


class Metric(StrEnum):
    """``moves`` of single tiles, or ``slides`` of several tiles of a line at a time.

    Symmetries, renaming tiles and exchanging start and goal preserve both lengths, so both metrics
    use the same canonical forms.
    """

    MOVES = "moves"
    SLIDES = "slides"

    def length(self, found: MoveSequence) -> int:
        return count_slides(found) if self is Metric.SLIDES else len(found)

    def describe(self, length: int) -> Message:
        return slides(length) if self is Metric.SLIDES else moves(length)

    def bound(self, least: int, size: Size) -> int:
        """Return the least length in this metric of a solution with at least ``least`` moves."""
        if self is Metric.MOVES:
            return least
        # A slide moves at most a whole line except for the blank.
        return -(-least // max(1, max(size) - 1))

    def moves_for(self, bound: int, size: Size) -> int:
        """Return the least number of moves for which `bound` returns a bound."""
        if self is Metric.MOVES or bound == 0:
            return bound
        return (bound - 1) * max(1, max(size) - 1) + 1

    def key(self, puzzle: str, private_id: str = "") -> str:
        """Return the key of the solve of a canonical puzzle in this metric.

        With an id, it is the key of a solve that serves a single job.
        """
        key = f"{puzzle}{PRIVATE_MARK}{private_id}" if private_id else puzzle
        return key + _IN_SLIDES if self is Metric.SLIDES else key

    @classmethod
    def from_key(cls, key: str) -> Metric:
        return cls.SLIDES if key.endswith(_IN_SLIDES) else cls.MOVES

    @classmethod
    def matches(cls, key: str, puzzle: str) -> bool:
        """Whether a key is one that `key` returns for a canonical puzzle."""
        metric = cls.from_key(key)
        _, _, private_id = key.removesuffix(_IN_SLIDES).partition(PRIVATE_MARK)
        return metric.key(puzzle, private_id) == key


class BoundProof(StrEnum):
    """The simplest proof of a lower bound.

    ``manhattan``: the tiles' distances. ``linear-conflict``: also the tiles that must leave their
    line. ``tile-groups``: also small groups of tiles that block each other. ``search``: a search
    for anything shorter, or its initial estimate.
    """

    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    TILE_GROUPS = "tile-groups"
    SEARCH = "search"


def proof_name(proof: BoundProof) -> Message:
    """Return the name of a proof other than a search."""
    return {
        BoundProof.MANHATTAN: Message("proof-manhattan", "Manhattan distance"),
        BoundProof.LINEAR_CONFLICT: Message("proof-linear-conflict", "linear conflict"),
        BoundProof.TILE_GROUPS: Message("proof-tile-groups", "tile groups"),
    }[proof]
