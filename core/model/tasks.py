"""Tasks: units of work that are claimed as a whole under a lease.

A spec says what to do: a run of the lab, a game, all shortest solutions, or a callback. It is
stored as JSON: boards as their width and their tiles, moves as letters.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Generic, TypeVar, cast

from pydantic import InstanceOf, PlainSerializer, PlainValidator, TypeAdapter
from pydantic.json_schema import SkipJsonSchema

from tilework.core.lab.methods import Method
from tilework.core.lab.result import LAB_VERSION, TraceWindow
from tilework.core.messages import Message
from tilework.core.model.comparisons import Run
from tilework.core.model.ids import new_id
from tilework.core.model.leases import Lease
from tilework.core.model.states import TASK_QUEUES, Queue, RunState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, from_letters, to_letters
from tilework.core.search.limits import Limits


class TaskKind(StrEnum):
    """The kind of a task."""

    RUN = "run"
    GAME = "game"
    SHORTEST_PATHS = "ways"
    CALLBACK = "call"


QUESTIONS: Final = (TaskKind.GAME, TaskKind.SHORTEST_PATHS)


_StoredBoard = Annotated[
    Board,
    PlainValidator(lambda numbers: Board(numbers[1:], numbers[0])),
    PlainSerializer(lambda board: [board.width, *board.cells.tolist()]),
]
_StoredMoves = Annotated[Moves, PlainValidator(from_letters), PlainSerializer(to_letters)]
_StoredMethod = Annotated[
    Method, PlainValidator(Method.from_text), PlainSerializer(lambda method: method.text)
]
_StoredLimits = Annotated[
    Limits,
    PlainValidator(lambda values: Limits(*values)),
    PlainSerializer(lambda limits: [limits.seconds, limits.nodes, limits.memory_bytes]),
]


class _Spec:
    __slots__ = ()

    kind: ClassVar[TaskKind]

    @property
    def key(self) -> str:
        """A hash of everything that determines the result, in 64 hexadecimal digits."""
        return digest(self.kind, _VERSIONS[self.kind], serialize_spec(cast("Spec", self)))


@dataclass(frozen=True, slots=True)
class RunSpec(_Spec):
    """A run of the lab, shared by all clients that request it.

    ``limits``: with the defaults filled in.
    """

    kind = TaskKind.RUN

    start: _StoredBoard
    goal: _StoredBoard
    method: _StoredMethod
    limits: _StoredLimits
    window: TraceWindow | None

    @property
    def seconds(self) -> float | None:
        """The time limit of the run."""
        return self.limits.seconds


class RunDetail(Run):
    """A run with its spec and its solution."""

    spec: SkipJsonSchema[InstanceOf[RunSpec]]
    moves: Any  # `Moves` or None


@dataclass(frozen=True, slots=True)
class GameSpec(_Spec):
    """A game to analyse.

    ``times_ms``: the time of each move in milliseconds since the first, if known.
    ``seconds``: the time limit of the analysis.
    """

    kind = TaskKind.GAME

    start: _StoredBoard
    goal: _StoredBoard
    moves: _StoredMoves
    times_ms: tuple[int, ...] | None
    seconds: float


@dataclass(frozen=True, slots=True)
class ShortestPathsSpec(_Spec):
    """A request for all shortest solutions of a board, and for a solution with the fewest slides.

    ``seconds``: the time limit.
    ``memory_bytes``: the memory limit of the stored boards.
    """

    kind = TaskKind.SHORTEST_PATHS

    start: _StoredBoard
    goal: _StoredBoard
    seconds: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class CallbackSpec(_Spec):
    """A callback URL to call because a job has ended."""

    kind = TaskKind.CALLBACK

    job_id: str
    url: str

    @property
    def key(self) -> str:
        """The job's ID: a job ends only once, so it has a single callback."""
        return self.job_id


Spec = RunSpec | GameSpec | ShortestPathsSpec | CallbackSpec
Question = GameSpec | ShortestPathsSpec
S = TypeVar("S", RunSpec, GameSpec, ShortestPathsSpec, CallbackSpec)
Q = TypeVar("Q", GameSpec, ShortestPathsSpec)

_VERSIONS: Final = {TaskKind.RUN: LAB_VERSION, TaskKind.GAME: 1, TaskKind.SHORTEST_PATHS: 1}
"""Incremented when answers change, so that stored ones are computed again."""

_STORED: Final[Mapping[TaskKind, TypeAdapter[Any]]] = {
    spec.kind: TypeAdapter(spec) for spec in (RunSpec, GameSpec, ShortestPathsSpec, CallbackSpec)
}


def serialize_spec(spec: Spec) -> str:
    return _STORED[spec.kind].dump_json(spec).decode()


def parse_spec(kind: TaskKind, text: str) -> Spec:
    """Parse the text that `serialize_spec` returned."""
    spec: Spec = _STORED[kind].validate_json(text)
    return spec


def digest(*parts: object) -> str:
    """Return the hash of the parts of a key, in 64 hexadecimal digits."""
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()


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

    ``document``: as written by `core.model.comparisons` for a run, `core.solver.analysis.game` for
        a game, and `core.solver.shortest_paths.graph` for shortest paths.
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
