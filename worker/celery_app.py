"""The Celery application, shared by both sides of the broker.

Celery over Redis may lose or duplicate a message, so a message is only a *ticket*: "there is work
in queue X". The work itself is in the database. The reconciler replaces lost tickets, and a
duplicate finds nothing to do. Therefore late acknowledgement, retries and results are disabled.

Invariant: this module does not import the solver, because the web process publishes through it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from celery import Celery
from kombu.connection import Connection
from kombu.transport import TRANSPORT_ALIASES

from tilework.core.model.states import Queue

QUEUES: Final = tuple(queue.value for queue in Queue)
"""All queues, in the order in which a worker serves them."""

TASK: Final = "tilework.work"

# Celery finds transports only by the scheme of the URL.
TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "tilework.worker.transport:TicketTransport")

_RETRIES: Final = {"interval_start": 1, "interval_step": 1, "interval_max": 5}
"""Pauses between attempts to reach a broker (seconds).

Celery's own pauses grow to half a minute, which would delay work after the broker is back.
"""


class _PatientConnection(Connection):
    def ensure_connection(self, *arguments: Any, **options: Any) -> Any:
        return super().ensure_connection(*arguments, **_RETRIES | options)  # type: ignore[no-untyped-call]


def create_celery(broker_url: str, reject: Callable[[str, str, int], object]) -> Celery:
    """Create the application of a worker, which waits for the broker indefinitely."""
    app = _create(
        broker_url,
        transport_options={"reject": reject},
        socket_timeout=5.0,
        socket_connect_timeout=5.0,
        broker_connection_retry=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
    )
    app.amqp.Connection = _PatientConnection
    return app


def create_publisher(broker_url: str, timeout_s: float) -> Celery:
    """Create the application of a process that only publishes, which fails instead of waiting."""
    return _create(
        broker_url,
        socket_timeout=timeout_s,
        socket_connect_timeout=timeout_s,
        # By default, kombu retries forever, which would block the caller.
        transport_options={"max_retries": 1, "interval_start": 0, "interval_step": 0},
        broker_connection_retry=False,
        broker_connection_timeout=timeout_s,
        task_publish_retry=False,
    )


def _create(
    broker_url: str,
    *,
    socket_timeout: float,
    socket_connect_timeout: float,
    transport_options: dict[str, Any],
    **settings: Any,
) -> Celery:
    app = Celery("tilework", broker=broker_url, set_as_current=False)
    app.conf.update(
        broker_transport_options={
            # Take a ticket from the first queue that has one, in the worker's order of queues.
            "queue_order_strategy": "priority",
            "socket_timeout": socket_timeout,
            "socket_connect_timeout": socket_connect_timeout,
            "socket_keepalive": True,
            "health_check_interval": 10,
            **transport_options,
        },
        task_queues={name: {"exchange": name, "routing_key": name} for name in QUEUES},
        task_default_queue=Queue.INTERACTIVE.value,
        task_create_missing_queues=False,
        task_serializer="json",
        accept_content=["json"],
        result_backend=None,
        task_ignore_result=True,
        task_acks_late=False,
        task_reject_on_worker_lost=False,
        # Silences a warning; it only affects tasks with late acknowledgement, which do not exist.
        worker_cancel_long_running_tasks_on_connection_loss=True,
        task_send_sent_event=False,
        worker_pool="solo",
        worker_concurrency=1,
        worker_prefetch_multiplier=1,
        worker_disable_prefetch=True,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        worker_detect_quorum_queues=False,
        enable_utc=True,
        **settings,
    )
    return app
