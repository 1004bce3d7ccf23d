"""Celery's settings, loaded when a process first needs them.

A message is only a *ticket*: "there is work in queue X". The work itself is in the database, the
reconciler replaces lost tickets, and a duplicate finds nothing to do. Therefore late
acknowledgement, retries and results are disabled.
"""

from __future__ import annotations

from kombu import Exchange
from kombu import Queue as CeleryQueue

from tilework.core.model.states import Queue
from tilework.core.settings import get_settings

broker_url = get_settings().broker
broker_transport_options = {
    # Take a message from the first queue that has one, in the worker's order of queues.
    "queue_order_strategy": "priority",
    "priority_steps": [0],
    "socket_timeout": 5.0,
    "socket_connect_timeout": 5.0,
    "socket_keepalive": True,
    "health_check_interval": 10,
}
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
# For example, the broker cannot write its files, or a queue's key is not a list.
broker_channel_error_retry = True

# Without acknowledgement: a ticket is removed from the broker when it is taken.
task_queues = [CeleryQueue(name, Exchange(name), name, no_ack=True) for name in Queue]
task_default_queue = Queue.INTERACTIVE.value
task_create_missing_queues = False
task_serializer = "json"
accept_content = ["json"]
task_ignore_result = True
# Silences a warning; it only affects tasks with late acknowledgement, which do not exist.
worker_cancel_long_running_tasks_on_connection_loss = True

worker_pool = "solo"
worker_concurrency = 1
worker_prefetch_multiplier = 1
worker_consumer = "tilework.worker.consumer:Consumer"
worker_enable_remote_control = False  # the consumer has its own, which answers while a task runs
worker_hijack_root_logger = False
worker_redirect_stdouts = False
worker_detect_quorum_queues = False
