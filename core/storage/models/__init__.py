"""The table definitions. Migrations create the tables, and a test checks that both agree.

Blobs and long texts are the last columns of their tables, so that SQLite reads the short columns
without loading the pages of the long ones.
"""

from tilework.core.storage.models.columns import MESSAGE, metadata
from tilework.core.storage.models.farm import (
    bound_event,
    counter,
    slice_,
    solution_chunk,
    solve,
    suspension,
    worker,
)
from tilework.core.storage.models.jobs import (
    api_key,
    batch,
    client,
    idempotency,
    job,
)
from tilework.core.storage.models.tasks import comparison, comparison_run, task

__all__ = [
    "MESSAGE",
    "api_key",
    "batch",
    "bound_event",
    "client",
    "comparison",
    "comparison_run",
    "counter",
    "idempotency",
    "job",
    "metadata",
    "slice_",
    "solution_chunk",
    "solve",
    "suspension",
    "task",
    "worker",
]
