"""What is asked about: a game that was played, or all shortest solutions of a board."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Generic, TypeVar

from tilework.core.messages import Message
from tilework.core.model.leases import Lease
from tilework.core.model.states import Queue, RunState
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


S = TypeVar("S", GameSpec, WaysSpec)


@dataclass(frozen=True, slots=True)
class NewAnalysis:
    """An analysis about to be stored, unless the client has one of the same key.

    Attributes
    ----------
    turn : float
        Epoch seconds by which waiting analyses are ordered.
    """

    id: str
    client_id: str
    key: str
    spec: Spec
    queue: Queue
    turn: float


@dataclass(frozen=True, slots=True)
class KnownAnalysis:
    """An analysis as it was found, locked."""

    id: str
    client_id: str
    state: RunState


@dataclass(frozen=True, slots=True)
class AnalysisClaim:
    """An analysis under lease."""

    lease: Lease
    spec: Spec


@dataclass(frozen=True, slots=True)
class AnalysisStanding:
    """How far an analysis has come.

    Attributes
    ----------
    settled, total : int, int or None
        Of a game its boards whose remaining length is known, and all; of ways the moves from the
        board up to which they are searched, and the length of the shortest once it is known.
    lower, upper : int, int or None
        Bounds of the board, or the first position.
    """

    settled: int
    total: int | None
    lower: int
    upper: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an analysis.

    Attributes
    ----------
    document : dict
        As `tilework.core.solver.analysis.result` or `tilework.core.solver.shortest_paths.kept`
        writes it.
    solutions, onward : bytes or None
        Of ways the first ones and their graph, as `tilework.core.solver.shortest_paths.kept` packs
        them; None where there are none, or too many boards to be drawn.
    """

    document: dict[str, Any]
    solutions: bytes | None = None
    onward: bytes | None = None


@dataclass(frozen=True, slots=True)
class AnalysisEnd:
    """How an analysis ended: ``done`` with its answer, or ``failed`` with a message."""

    state: RunState
    answer: Answer | None = None
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class AnalysisView(Generic[S]):
    """An analysis for people.

    Attributes
    ----------
    number : int
        Grows with every change.
    standing : AnalysisStanding or None
        None until a worker has told.
    result : dict or None
        The document of its answer, once it is done.
    """

    id: str
    client_id: str
    state: RunState
    number: int
    spec: S
    created_at: float
    started_at: float | None
    finished_at: float | None
    message: Message | None
    standing: AnalysisStanding | None
    result: dict[str, Any] | None

    @property
    def finished(self) -> bool:
        """Whether it will not change any more."""
        return self.state.ended

    @property
    def version(self) -> str:
        """Changes with everything that the view holds."""
        return str(self.number)
