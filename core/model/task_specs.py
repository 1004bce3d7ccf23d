"""The specs of tasks: a textbook search, a game, all shortest solutions, or a callback.

A spec is stored as JSON, with boards and moves packed and Base64-encoded.
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
from tilework.core.model.lab.comparisons import RunLimits
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.puzzle.packing import pack, pack_board, unpack, unpack_board

_GAME_VERSION: Final = 1
_WAYS_VERSION: Final = 1
"""Incremented when answers change, so that stored ones are computed again."""


class TaskKind(StrEnum):
    """The kind of a task."""

    RUN = "run"
    GAME = "game"
    SHORTEST_PATHS = "ways"
    CALLBACK = "call"


QUESTIONS: Final = (TaskKind.GAME, TaskKind.SHORTEST_PATHS)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A run of the lab, shared by all clients that request it.

    ``limits``: with the defaults filled in.
    """

    kind: ClassVar[TaskKind] = TaskKind.RUN

    start: Board
    goal: Board
    method: Method
    limits: RunLimits
    window: TraceWindow | None

    @property
    def seconds(self) -> float | None:
        """The time limit of the run."""
        return self.limits.seconds

    @property
    def key(self) -> str:
        """A hash of everything that determines the result, including the lab's version."""
        limits = self.limits
        return digest(
            LAB_VERSION,
            *_board_values(self.start, self.goal),
            self.method.text,
            f"{limits.seconds!r} {limits.nodes} {limits.memory_bytes}",
            "" if self.window is None else self.window.text,
        )

    def document(self) -> dict[str, Any]:
        """Return the spec as a JSON value for `parse_spec`."""
        return _boards(self.start, self.goal) | {
            "method": self.method.text,
            "time_limit_s": self.limits.seconds,
            "node_limit": self.limits.nodes,
            "memory_limit": self.limits.memory_bytes,
            "window": None if self.window is None else self.window.text,
        }

    @classmethod
    def from_document(cls, values: Mapping[str, Any]) -> Self:
        limits = RunLimits(values["time_limit_s"], values["node_limit"], values["memory_limit"])
        window = None if values["window"] is None else TraceWindow.from_text(values["window"])
        return cls(*_read_boards(values), Method.from_text(values["method"]), limits, window)


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game to analyse.

    ``times_ms``: the time of each move in milliseconds since the first, if known.
    ``seconds``: the time limit of the analysis.
    """

    kind: ClassVar[TaskKind] = TaskKind.GAME

    start: Board
    goal: Board
    moves: Moves
    times_ms: tuple[int, ...] | None
    seconds: float

    @property
    def key(self) -> str:
        """A hash of everything that determines the answer, in 64 hexadecimal digits."""
        return digest(
            _GAME_VERSION,
            *_board_values(self.start, self.goal),
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
    def from_document(cls, values: Mapping[str, Any]) -> Self:
        moves = unpack(b64decode(values["moves"]))
        times = None if values["times_ms"] is None else tuple(map(int, values["times_ms"]))
        return cls(*_read_boards(values), moves, times, values["time_limit_s"])


@dataclass(frozen=True, slots=True)
class ShortestPathsSpec:
    """A request for all shortest solutions of a board, and for a solution with the fewest slides.

    ``seconds``: the time limit.
    ``memory_bytes``: the memory limit of the stored boards.
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
            *_board_values(self.start, self.goal),
            repr(self.seconds),
            self.memory_bytes,
        )

    def document(self) -> dict[str, Any]:
        limits = {"time_limit_s": self.seconds, "memory_limit": self.memory_bytes}
        return _boards(self.start, self.goal) | limits

    @classmethod
    def from_document(cls, values: Mapping[str, Any]) -> Self:
        return cls(*_read_boards(values), values["time_limit_s"], values["memory_limit"])


@dataclass(frozen=True, slots=True)
class CallbackSpec:
    """A callback URL to call because a job has ended."""

    kind: ClassVar[TaskKind] = TaskKind.CALLBACK

    job_id: str
    url: str

    @property
    def key(self) -> str:
        """The job's ID: a job ends only once, so it has a single callback."""
        return self.job_id

    def document(self) -> dict[str, Any]:
        return {"job_id": self.job_id, "url": self.url}

    @classmethod
    def from_document(cls, values: Mapping[str, Any]) -> Self:
        return cls(values["job_id"], values["url"])


Spec = RunSpec | GameSpec | ShortestPathsSpec | CallbackSpec
Question = GameSpec | ShortestPathsSpec
S = TypeVar("S", RunSpec, GameSpec, ShortestPathsSpec, CallbackSpec)
Q = TypeVar("Q", GameSpec, ShortestPathsSpec)

_SPECS: Final[Mapping[TaskKind, type[Spec]]] = {
    spec.kind: spec for spec in (RunSpec, GameSpec, ShortestPathsSpec, CallbackSpec)
}


def serialize_spec(spec: Spec) -> str:
    return json.dumps(spec.document(), separators=(",", ":"))


def parse_spec(kind: TaskKind, text: str) -> Spec:
    """Parse the text that `serialize_spec` returned."""
    return _SPECS[kind].from_document(json.loads(text))


def digest(*parts: object) -> str:
    """Return the hash of the parts of a key, in 64 hexadecimal digits."""
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()


def _board_values(start: Board, goal: Board) -> tuple[object, ...]:
    return start.width, start.cells.tolist(), goal.cells.tolist()


def _boards(start: Board, goal: Board) -> dict[str, Any]:
    return {"board": _base64(pack_board(start)), "goal": _base64(pack_board(goal))}


def _read_boards(values: Mapping[str, Any]) -> tuple[Board, Board]:
    return unpack_board(b64decode(values["board"])), unpack_board(b64decode(values["goal"]))


def _base64(packed: bytes) -> str:
    return b64encode(packed).decode()
