"""What tasks are asked: a textbook search, a game, all shortest solutions, or a call.

A spec is stored as JSON, with boards and moves as they are packed elsewhere, in base 64.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Self, TypeVar

from tilework.core.lab.method import Method
from tilework.core.lab.result import LAB_VERSION
from tilework.core.lab.trace import TraceWindow
from tilework.core.model.comparisons import RunLimits
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.puzzle.packing import pack, pack_board, unpack, unpack_board

_GAME_VERSION: Final = 1
_WAYS_VERSION: Final = 1
"""Raised where the same question is answered otherwise: it is then asked anew."""


class TaskKind(StrEnum):
    """What a task does."""

    RUN = "run"
    GAME = "game"
    SHORTEST_PATHS = "ways"
    CALLBACK = "call"


QUESTIONS: Final = (TaskKind.GAME, TaskKind.SHORTEST_PATHS)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What a run of the lab does: the same for everybody who asks for it.

    Attributes
    ----------
    limits : RunLimits
        Filled in.
    """

    kind: ClassVar[TaskKind] = TaskKind.RUN

    start: Board
    goal: Board
    method: Method
    limits: RunLimits
    window: TraceWindow | None

    @property
    def seconds(self) -> float | None:
        """What the run may take."""
        return self.limits.seconds

    @property
    def key(self) -> str:
        """A hash of all that the outcome depends on, the lab's version included."""
        limits = self.limits
        return digest(
            LAB_VERSION,
            *_words(self.start, self.goal),
            self.method.text,
            f"{limits.seconds!r} {limits.nodes} {limits.memory_bytes}",
            "" if self.window is None else self.window.text,
        )

    def document(self) -> dict[str, Any]:
        """Return it as a JSON value, as `read_spec` reads it; here and below."""
        return _boards(self.start, self.goal) | {
            "method": self.method.text,
            "time_limit_s": self.limits.seconds,
            "node_limit": self.limits.nodes,
            "memory_limit": self.limits.memory_bytes,
            "window": None if self.window is None else self.window.text,
        }

    @classmethod
    def of_document(cls, told: Mapping[str, Any]) -> Self:
        limits = RunLimits(told["time_limit_s"], told["node_limit"], told["memory_limit"])
        window = None if told["window"] is None else TraceWindow.from_text(told["window"])
        return cls(*_read_boards(told), Method.from_text(told["method"]), limits, window)


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

    kind: ClassVar[TaskKind] = TaskKind.GAME

    start: Board
    goal: Board
    moves: Moves
    times_ms: tuple[int, ...] | None
    seconds: float

    @property
    def key(self) -> str:
        """A hash of all that the answer depends on: 64 hexadecimal digits; here and below."""
        return digest(
            _GAME_VERSION,
            *_words(self.start, self.goal),
            to_letters(self.moves),
            self.times_ms,
            repr(self.seconds),
        )

    def document(self) -> dict[str, Any]:
        return _boards(self.start, self.goal) | {
            "moves": _base64(pack(self.moves)),
            "times_ms": self.times_ms,
            "time_limit_s": self.seconds,
        }

    @classmethod
    def of_document(cls, told: Mapping[str, Any]) -> Self:
        moves = unpack(b64decode(told["moves"]))
        times = None if told["times_ms"] is None else tuple(map(int, told["times_ms"]))
        return cls(*_read_boards(told), moves, times, told["time_limit_s"])


@dataclass(frozen=True, slots=True)
class ShortestPathsSpec:
    """A board whose shortest solutions are all asked for, and one of the fewest slides.

    Attributes
    ----------
    seconds : float
        What the search may take.
    memory_bytes : int
        What the boards may take that it keeps.
    """

    kind: ClassVar[TaskKind] = TaskKind.SHORTEST_PATHS

    start: Board
    goal: Board
    seconds: float
    memory_bytes: int

    @property
    def key(self) -> str:
        return digest(
            self.kind,
            _WAYS_VERSION,
            *_words(self.start, self.goal),
            repr(self.seconds),
            self.memory_bytes,
        )

    def document(self) -> dict[str, Any]:
        limits = {"time_limit_s": self.seconds, "memory_limit": self.memory_bytes}
        return _boards(self.start, self.goal) | limits

    @classmethod
    def of_document(cls, told: Mapping[str, Any]) -> Self:
        return cls(*_read_boards(told), told["time_limit_s"], told["memory_limit"])


@dataclass(frozen=True, slots=True)
class CallbackSpec:
    """An address to be called because a job has ended."""

    kind: ClassVar[TaskKind] = TaskKind.CALLBACK

    job_id: str
    url: str

    @property
    def key(self) -> str:
        """The job, which ends once."""
        return self.job_id

    def document(self) -> dict[str, Any]:
        return {"job_id": self.job_id, "url": self.url}

    @classmethod
    def of_document(cls, told: Mapping[str, Any]) -> Self:
        return cls(told["job_id"], told["url"])


Spec = RunSpec | GameSpec | ShortestPathsSpec | CallbackSpec
Question = GameSpec | ShortestPathsSpec
S = TypeVar("S", RunSpec, GameSpec, ShortestPathsSpec, CallbackSpec)
Q = TypeVar("Q", GameSpec, ShortestPathsSpec)

_SPECS: Final[Mapping[TaskKind, type[Spec]]] = {
    one.kind: one for one in (RunSpec, GameSpec, ShortestPathsSpec, CallbackSpec)
}


def write_spec(spec: Spec) -> str:
    """Return a spec as JSON."""
    return json.dumps(spec.document(), separators=(",", ":"))


def read_spec(kind: TaskKind, text: str) -> Spec:
    """Read what `write_spec` wrote."""
    return _SPECS[kind].of_document(json.loads(text))


def digest(*words: object) -> str:
    """Return the hash that keys are made of, 64 hexadecimal digits."""
    return hashlib.sha256("|".join(map(str, words)).encode()).hexdigest()


def _words(start: Board, goal: Board) -> tuple[object, ...]:
    return start.width, start.cells.tolist(), goal.cells.tolist()


def _boards(start: Board, goal: Board) -> dict[str, Any]:
    return {"board": _base64(pack_board(start)), "goal": _base64(pack_board(goal))}


def _read_boards(told: Mapping[str, Any]) -> tuple[Board, Board]:
    return unpack_board(b64decode(told["board"])), unpack_board(b64decode(told["goal"]))


def _base64(packed: bytes) -> str:
    return b64encode(packed).decode()
