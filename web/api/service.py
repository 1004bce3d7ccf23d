"""``/queues`` and ``/statistics``: the state of the service."""

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
    """A queue: the work that is ready or leased, and the tickets in the broker."""

    name: Queue
    ready: int
    leased: int
    oldest_wait_s: float
    tickets: int | None = Field(description="null if the broker does not answer.")
    suspended: bool = Field(description="Whether an operator has suspended the queue.")


class QueuesDocument(Document):
    """All queues, in the order in which workers serve them."""

    queues: list[QueueDocument]


class SizeDocument(Document):
    """What is known about the boards of one size."""

    width: int
    height: int
    puzzles: int
    solved: int
    optimal: int
    longest: int | None
    best_ratio: float | None = Field(
        description="The smallest ratio of length to lower bound among the solutions that are not "
        "proven optimal. null for up to 16 cells.",
        examples=[1.21],
    )
    mean_ratio: float | None = Field(
        description="The mean ratio of length to lower bound among those solutions.",
        examples=[1.38],
    )


class StatisticsDocument(Document):
    """Stored jobs and puzzles, and current activity."""

    jobs: dict[JobState, int]
    total_jobs: int
    cached_jobs: int
    nodes: int
    seconds: float
    nodes_per_s: float = Field(
        description="Nodes per second over the last few seconds, summed over all long searches "
        "and workers."
    )
    workers: int = Field(description="The number of workers that take long searches.")
    quarantined: int = Field(
        description="The number of slices that are suspended because they crashed workers."
    )
    foreign_messages: int = Field(
        description="The number of messages in the broker that were rejected because they were not "
        "sent by this service."
    )
    restarts: int = Field(description="The number of processes that crashed and were restarted.")
    damaged_solves: int = Field(
        description="The number of searches that started again because their stored data was "
        "damaged."
    )
    sizes: list[SizeDocument]


@api.get("/queues", operation_id="readQueues", responses={200: QueuesDocument})
def queues() -> Response:
    """Retrieve the amount of work waiting in each queue."""
    views = services().read.queues()
    return json_response(
        QueuesDocument(queues=[QueueDocument.model_validate(view) for view in views])
    )


@api.get("/statistics", operation_id="readStatistics", responses={200: StatisticsDocument})
def statistics() -> Response:
    """Retrieve statistics about the service."""
    return json_response(StatisticsDocument.model_validate(services().read.statistics()))
