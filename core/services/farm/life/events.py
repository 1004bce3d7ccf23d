"""What can happen to a solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.puzzle.moves import Moves
from core.services.farm.jobs import NewJob
from core.services.farm.records import Slice
from core.solver.piece import Piece, SliceOutcome
from core.solver.result import SearchResult


@dataclass(frozen=True, slots=True)
class Asked:
    """A client asks; the job may be answered as it begins.

    Attributes
    ----------
    turn : float
        Where its work would stand in its queue.
    search_turn : callable
        The same in the queue of long searches, asked only where it goes there.
    """

    job: NewJob
    turn: float
    search_turn: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Disproved:
    """The stored solution does not solve the board: nothing that rests on it can be trusted.

    Attributes
    ----------
    lower_bound : int
        What is proved at the door.
    """

    lower_bound: int


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A client no longer wants his job."""

    job_id: str


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Deadlines may be over, and work may have been lost."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A slice has run long enough for people to see its jobs running."""

    piece: Slice


@dataclass(frozen=True, slots=True)
class Noted:
    """Better bounds, found by an opening that goes on.

    Attributes
    ----------
    begun_at : float
        Epoch seconds at which the opening began.
    """

    piece: Slice
    lower_bound: int
    moves: Moves | None
    algorithm: str
    begun_at: float


@dataclass(frozen=True, slots=True)
class Opened:
    """An opening has ended.

    Attributes
    ----------
    threshold : int or None
        Where a search by thresholds would begin; None where there is none for this board.
    root : Piece
        The whole tree of a threshold.
    begun_at, seconds : float
        Epoch seconds of the beginning, and the time it took.
    """

    piece: Slice
    result: SearchResult
    threshold: int | None
    root: Piece
    begun_at: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Searched:
    """A slice of search has ended, and what remains of it is cut for others.

    Attributes
    ----------
    outcome : SliceOutcome
        What remains may be in several pieces; the first is where the search stands.
    seconds : float
        Wall time of the run.
    short : int
        Pieces that the farm would like to be put by.
    tree : callable
        Cuts the whole tree of a threshold into at most so many pieces.
    """

    piece: Slice
    outcome: SliceOutcome
    seconds: float
    short: int
    tree: Callable[[int], Sequence[Piece]]


@dataclass(frozen=True, slots=True)
class Improved:
    """A try at a shorter solution has ended."""

    piece: Slice
    result: SearchResult
    seconds: float


@dataclass(frozen=True, slots=True)
class LeaseLost:
    """A slice's lease ran out: its worker died, or hangs."""

    piece: Slice


@dataclass(frozen=True, slots=True)
class Raised:
    """The run of a slice raised."""

    piece: Slice
    message: str


@dataclass(frozen=True, slots=True)
class Halved:
    """A slice that may crash its workers was cut in two; None where it cannot be."""

    piece: Slice
    halves: tuple[Piece, Piece] | None


SliceEvent = Begun | Noted | Opened | Searched | Improved | LeaseLost | Raised | Halved
"""What only the holder of a slice's lease, or who takes the lease back, may tell."""

Event = SliceEvent | Asked | Disproved | Cancelled | TimePassed
