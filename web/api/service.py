"""``/queues`` and ``/statistics``: waiting work, and what has been done."""

from __future__ import annotations

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import Field

from tilework.core.model.states import JobState, Queue
from tilework.core.services.jobs.document import API_ROOT
from tilework.web.api.documents import Document, json_response
from tilework.web.clients import services

api = APIBlueprint("service", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="service")])


class QueueDocument(Document):
    """A queue: slices ready and under a lease, tickets in the broker."""

    name: Queue
    ready: int
    leased: int
    oldest_wait_s: float
    tickets: int | None = Field(description="null where the broker does not answer")


class QueuesDocument(Document):
    """All queues, in the order in which workers take from them."""

    queues: list[QueueDocument]


class SizeDocument(Document):
    """What is known of one size of board."""

    width: int
    height: int
    puzzles: int
    solved: int
    optimal: int
    longest: int | None
    best_ratio: float | None = Field(
        description="Moves over the lower bound, of the best of the solutions that are not proved "
        "optimal; null up to 16 cells",
        examples=[1.21],
    )
    mean_ratio: float | None = Field(description="The same, of all of them", examples=[1.38])


class StatisticsDocument(Document):
    """The service since its database was made, and what it does now."""

    jobs: dict[JobState, int]
    total_jobs: int
    cached_jobs: int
    nodes: int
    seconds: float
    nodes_per_s: float = Field(
        description="Of the last seconds, over all long searches and all workers"
    )
    workers: int = Field(description="Those that take slices of long searches")
    quarantined: int = Field(
        description="Slices that no worker takes for a while, as they ended several"
    )
    foreign_messages: int = Field(description="Refused by workers: not put there by this service")
    restarts: int = Field(description="Of programs that ended by themselves")
    set_aside: int = Field(
        description="Rows of the database that were found damaged, set aside and made anew"
    )
    sizes: list[SizeDocument]


@api.get("/queues", operation_id="readQueues", responses={200: QueuesDocument})
def queues() -> Response:
    """Show how much work is waiting."""
    views = services().read.queues()
    return json_response(
        QueuesDocument(queues=[QueueDocument.model_validate(view) for view in views])
    )


@api.get("/statistics", operation_id="readStatistics", responses={200: StatisticsDocument})
def statistics() -> Response:
    """Show what was submitted and solved since the database was made."""
    return json_response(StatisticsDocument.model_validate(services().read.statistics()))
