"""Metrics of solution length, and kinds of proof of a lower bound."""

from __future__ import annotations

import math
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


_SLIDES_SUFFIX: Final = ":slides"
PRIVATE_MARK: Final = ":apart:"  # in the keys of solves used by a single job


class Metric(StrEnum):
    """What a length counts: ``moves`` of single tiles, or ``slides`` of adjacent tiles of a line.

    Symmetries, renaming tiles and exchanging start and goal preserve both lengths, so both metrics
    use the same canonical forms.
    """

    MOVES = "moves"
    SLIDES = "slides"

    def length(self, solution: MoveSequence) -> int:
        return count_slides(solution) if self is Metric.SLIDES else len(solution)

    def describe(self, length: int) -> Message:
        return slides(length) if self is Metric.SLIDES else moves(length)

    def bound(self, minimum_moves: int, size: Size) -> int:
        """Return the minimum length, in this metric, of a solution of at least that many moves."""
        if self is Metric.MOVES:
            return minimum_moves
        # A slide moves at most a whole line except for the blank.
        return -(-minimum_moves // max(1, max(size) - 1))

    def moves_for(self, bound: int, size: Size) -> int:
        """Return the smallest number of moves for which `bound` returns ``bound``."""
        if self is Metric.MOVES or bound == 0:
            return bound
        return (bound - 1) * max(1, max(size) - 1) + 1

    def key(self, puzzle: str, private_id: str = "") -> str:
        """Return the key of the solve of a canonical puzzle in this metric.

        With an id, it is the key of a solve used by a single job.
        """
        key = f"{puzzle}{PRIVATE_MARK}{private_id}" if private_id else puzzle
        return key + _SLIDES_SUFFIX if self is Metric.SLIDES else key

    @classmethod
    def from_key(cls, key: str) -> Metric:
        return cls.SLIDES if key.endswith(_SLIDES_SUFFIX) else cls.MOVES

    @classmethod
    def matches(cls, key: str, puzzle: str) -> bool:
        """Whether `key` returns this key for the canonical puzzle."""
        metric = cls.from_key(key)
        _, _, private_id = key.removesuffix(_SLIDES_SUFFIX).partition(PRIVATE_MARK)
        return metric.key(puzzle, private_id) == key


def round_ratio(ratio: float) -> float:
    """Round a length divided by its lower bound up to three decimals, so that "at most" is true.

    Every ratio and gap that is shown is derived from this.
    """
    return math.ceil(round(1000 * ratio, 6)) / 1000


class BoundProof(StrEnum):
    """The simplest proof of a lower bound.

    ``manhattan``: the tiles' distances. ``linear-conflict``: also the tiles that must leave their
    line. ``tile-groups``: also small groups of tiles that block each other. ``search``: a search
    for shorter solutions, or its initial estimate.
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
