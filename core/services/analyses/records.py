"""Analyses of games as the services see them, between the storage and the rules."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.services.leases import Lease
from tilework.core.services.states import RunState

ANALYSIS_VERSION: Final = 1
"""Raised where an analysis of the same game tells something else: it is then made anew."""


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

    start: Board
    goal: Board
    moves: Moves
    times_ms: tuple[int, ...] | None
    seconds: float

    @property
    def key(self) -> str:
        """A hash of all that the analysis depends on: 64 hexadecimal digits."""
        words = (
            ANALYSIS_VERSION,
            self.start.width,
            self.start.cells.tolist(),
            self.goal.cells.tolist(),
            to_letters(self.moves),
            self.times_ms,
            repr(self.seconds),
        )
        return hashlib.sha256("|".join(map(str, words)).encode()).hexdigest()


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
    spec: GameSpec
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
    spec: GameSpec


@dataclass(frozen=True, slots=True)
class AnalysisStanding:
    """How far an analysis has come.

    Attributes
    ----------
    settled, total : int
        Boards of the game whose remaining length is known, and all.
    lower, upper : int, int or None
        Bounds of the first position.
    """

    settled: int
    total: int
    lower: int
    upper: int | None


@dataclass(frozen=True, slots=True)
class AnalysisEnd:
    """How an analysis ended: ``done`` with its document, or ``failed`` with a message.

    Attributes
    ----------
    result : dict or None
        As `tilework.core.solver.analysis.document.analysis_document` writes it.
    """

    state: RunState
    result: dict[str, Any] | None = None
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """An analysis for people.

    Attributes
    ----------
    number : int
        Grows with every change.
    standing : AnalysisStanding or None
        None until a worker has told.
    result : dict or None
        Once it is done.
    """

    id: str
    client_id: str
    state: RunState
    number: int
    spec: GameSpec
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
