"""The Celery application and its only task.

``celery -A tilework.worker.app worker -Q interactive,search`` starts a worker, as ``tilework
worker`` does. Celery's other commands, and Flower, work with this application too.

Invariant: this module does not import the solver, because the web process publishes through it.
"""

from __future__ import annotations

import warnings
from typing import Any, Final

from celery import Celery, Task, signals
from celery.exceptions import SecurityWarning
from click import Option

from tilework.core.logs import configure_logs
from tilework.core.model.states import Queue

QUEUES: Final = tuple(queue.value for queue in Queue)
"""All queues, in the order in which a worker serves them."""

# Running as root is dangerous with pickled messages, but these are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("tilework")
app.config_from_object("tilework.worker.celeryconfig")
app.steps["worker"].add("tilework.worker.process:WorkerProcess")
app.user_options["worker"].add(
    Option(
        ["--ready-fd"],
        type=int,
        metavar="N",
        help="Open file descriptor to which the worker writes a byte when it is ready.",
    )
)


@app.task(name="tilework.work", bind=True, Request="tilework.worker.consumer:WorkRequest")  # type: ignore[untyped-decorator]
def work(task: Task) -> None:
    """Work on the queue that the message was taken from, for about a second.

    `WorkerProcess` sets ``serve``: claim from the database, search, store what was proved.
    """
    task.serve(task.request.delivery_info["routing_key"])


@signals.celeryd_init.connect  # type: ignore[untyped-decorator]
def _configure_logs(sender: str, **_details: Any) -> None:
    configure_logs(sender.partition("@")[0])


@signals.setup_logging.connect  # type: ignore[untyped-decorator]
def _keep_logs(**_details: Any) -> None:
    """With a receiver, Celery does not configure logging itself."""
