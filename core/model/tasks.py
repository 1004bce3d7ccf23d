"""Tasks: pieces of work that are claimed under a lease, each as a whole."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic

from tilework.core.messages import Message
from tilework.core.model.leases import Lease
from tilework.core.model.states import TASK_QUEUES, Queue, RunState
from tilework.core.model.task_specs import QUESTIONS, S, Spec, TaskKind

CALLS: Final = "calls"
"""Where calls wait: no tickets are sent for these, and no page shows them."""

_QUESTION_QUEUES = tuple(queue for queue in TASK_QUEUES if queue is not Queue.LAB)
QUEUES_OF: Final[Mapping[TaskKind, Sequence[str]]] = {
    TaskKind.RUN: (Queue.LAB,),
    TaskKind.CALLBACK: (CALLS,),
    **dict.fromkeys(QUESTIONS, _QUESTION_QUEUES),
}
"""Where tasks of each kind wait."""


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task about to be stored, unless there is one of the same key.

    Attributes
    ----------
    turn : float
        Epoch seconds by which waiting tasks are ordered; of a call, when it is due.
    client_id : str or None
        Whose it is; None of a run, which many may ask for, and of a call.
    """

    id: str
    key: str
    spec: Spec
    queue: str
    priority: float
    client_id: str | None = None


@dataclass(frozen=True, slots=True)
class KnownTask:
    """A task as it was found, locked."""

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
    """How far an answer has come.

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
class Result:
    """What came of a task.

    Attributes
    ----------
    document : dict
        Of a run as `tilework.core.model.runs` reads it, of a game as
        `tilework.core.solver.analysis.result` writes it, of ways as
        `tilework.core.solver.shortest_paths.stored_solutions` does.
    solutions : bytes or None
        Packed: of a run the one that it found, of ways the first ones.
    detail : bytes or None
        Of a run its trace as compressed JSON, of ways their graph; None where it was not asked
        for, or would be too large.
    """

    document: dict[str, Any]
    solutions: bytes | None = None
    detail: bytes | None = None


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """How a task ended: ``done`` with its result, or ``failed`` with a message."""

    state: RunState
    result: Result | None = None
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Task(Generic[S]):
    """A task as it stands.

    Attributes
    ----------
    number : int
        Grows with every change.
    progress : Progress or None
        None until a worker has told.
    result : dict or None
        The document of its result, once it is done.
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
        """Changes with everything that the view holds."""
        return str(self.number)


def pack_json(document: dict[str, Any]) -> bytes:
    """Return a JSON value compressed."""
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode())


def unpack_json(packed: bytes) -> Any:
    """Read what `pack_json` wrote."""
    return json.loads(zlib.decompress(packed))
