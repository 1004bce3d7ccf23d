"""What is asked about: a game that was played, or all shortest solutions of a board."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, to_letters

_GAME_VERSION: Final = 1
_WAYS_VERSION: Final = 1
"""Raised where the same question is answered otherwise: it is then asked anew."""


class Kind(StrEnum):
    """What a question is about."""

    GAME = "game"
    WAYS = "ways"


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game to analyse.

    Attributes
    ----------
    times_ms : tuple of int or None
        When each move was made, in milliseconds since the first, if that is known.
    seconds : float
        What the analysis may take.
    """

    kind: ClassVar[Kind] = Kind.GAME

    start: Board
    goal: Board
    moves: Moves
    times_ms: tuple[int, ...] | None
    seconds: float

    @property
    def key(self) -> str:
        """A hash of all that the analysis depends on: 64 hexadecimal digits."""
        return _hash(
            _GAME_VERSION,
            self.start.width,
            self.start.cells.tolist(),
            self.goal.cells.tolist(),
            to_letters(self.moves),
            self.times_ms,
            repr(self.seconds),
        )


@dataclass(frozen=True, slots=True)
class WaysSpec:
    """A board whose shortest solutions are all asked for, and one of the fewest slides.

    Attributes
    ----------
    seconds : float
        What the search may take.
    memory_bytes : int
        What the boards may take that it keeps.
    """

    kind: ClassVar[Kind] = Kind.WAYS

    start: Board
    goal: Board
    seconds: float
    memory_bytes: int

    @property
    def key(self) -> str:
        """A hash of all that the answer depends on: 64 hexadecimal digits."""
        return _hash(
            self.kind,
            _WAYS_VERSION,
            self.start.width,
            self.start.cells.tolist(),
            self.goal.cells.tolist(),
            repr(self.seconds),
            self.memory_bytes,
        )


Spec = GameSpec | WaysSpec


def _hash(*words: object) -> str:
    return hashlib.sha256("|".join(map(str, words)).encode()).hexdigest()
