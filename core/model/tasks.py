"""Tasks: units of work that are claimed as a whole under a lease.

A spec says what to do: a run of the lab, a game, all shortest solutions, or a callback. It is
stored as JSON, with boards and moves packed and Base64-encoded.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from tilework.core.lab.methods import Method
from tilework.core.lab.result import LAB_VERSION, TraceWindow
from tilework.core.messages import Message
from tilework.core.model.comparisons import RunLimits
from tilework.core.model.ids import new_id
from tilework.core.model.leases import Lease
from tilework.core.model.states import TASK_QUEUES, Queue, RunState
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


CALLBACK_QUEUE: Final = "calls"
"""What the names of the queues of callbacks begin with; see `new_callback`."""

CLIENT_PREFIX: Final = len(CALLBACK_QUEUE) + 9

_QUESTION_QUEUES = tuple(queue for queue in TASK_QUEUES if queue is not Queue.LAB)
QUEUES_BY_KIND: Final[Mapping[TaskKind, Sequence[str]]] = {
    TaskKind.RUN: (Queue.LAB,),
    TaskKind.CALLBACK: (CALLBACK_QUEUE,),
    **dict.fromkeys(QUESTIONS, _QUESTION_QUEUES),
}
"""The queues of each kind of task; of callbacks, what their names begin with."""


def may_queue(kind: TaskKind, queue: str) -> bool:
    """Whether tasks of a kind can be in a queue."""
    return queue in QUEUES_BY_KIND[kind] or (
        kind is TaskKind.CALLBACK and queue.startswith(CALLBACK_QUEUE)
    )


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task to be stored, unless there is one with the same key.

    ``priority``: epoch seconds by which waiting tasks are ordered; when a callback is due.
    ``client_id``: its owner; None for runs, which clients share.
    """

    id: str
    key: str
    spec: Spec
    queue: str
    priority: float
    client_id: str | None = None


def new_callback(job_id: str, client_id: str, url: str, now: float) -> NewTask:
    """Return the callback of a client's job that has ended.

    It waits only for callbacks of the same client to the same host, which share its queue. The
    queues of a client begin with the same `CLIENT_PREFIX` characters. They have no tickets, and
    appear on no page.
    """
    spec = CallbackSpec(job_id, url)
    host = "".join(re.split("[/?]", url.lower(), maxsplit=3)[2:3])
    queue = f"{CALLBACK_QUEUE}{digest(client_id)[:9]}{digest(host)[:9]}"
    return NewTask(new_id(), spec.key, spec, queue, now, client_id)


@dataclass(frozen=True, slots=True)
class StoredTask:
    """An existing task, locked."""

    id: str
    key: str
    state: RunState


@dataclass(frozen=True, slots=True)
class TaskClaim(Generic[S]):
    """A task under lease."""

    lease: Lease
    spec: S
    created_at: float


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a question.

    ``settled``, ``total``: of a game, the boards with a known remaining length, and all boards; of
        shortest paths, the moves searched from the board, and the optimal length once known.
    ``lower``, ``upper``: bounds of the board, or of the first position.
    """

    settled: int
    total: int | None
    lower: int
    upper: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a task.

    ``document``: as written by `core.model.lab.runs` for a run, `core.solver.analysis.result` for
        a game, and `core.solver.shortest_paths.stored_solutions` for shortest paths.
    ``solutions``: packed; the solution of a run, or the first ones of shortest paths.
    ``detail``: compressed JSON: the trace of a run, or the graph of shortest paths; None if it was
        not requested or is too large.
    """

    document: dict[str, Any]
    solutions: bytes | None = None
    detail: bytes | None = None


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """The end of a task: ``done`` with its result, or ``failed`` with a message."""

    state: RunState
    result: Result | None = None
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Task(Generic[S]):
    """A stored task.

    ``number``: increases with every change.
    ``progress``: None until a worker has reported.
    ``result``: the document of its result, once it is done.
    """

    id: str
    client_id: str | None
    state: RunState
    number: int
    spec: S
    created_at: float
    started_at: float | None
    finished_at: float | None
    message: Message | None
    progress: Progress | None
    result: dict[str, Any] | None

    @property
    def finished(self) -> bool:
        """Whether it will not change any more."""
        return self.state.ended

    @property
    def version(self) -> str:
        """Changes with everything in the view."""
        return str(self.number)


def pack_json(document: dict[str, Any]) -> bytes:
    """Return a JSON value, compressed."""
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode())


def unpack_json(packed: bytes) -> Any:
    """Return the JSON value that `pack_json` compressed."""
    return json.loads(zlib.decompress(packed))
