"""Tasks: units of work that are claimed as a whole under a lease."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic

from tilework.core.messages import Message
from tilework.core.model.ids import new_id
from tilework.core.model.leases import Lease
from tilework.core.model.states import TASK_QUEUES, Queue, RunState
from tilework.core.model.task_specs import QUESTIONS, CallbackSpec, S, Spec, TaskKind, digest

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
