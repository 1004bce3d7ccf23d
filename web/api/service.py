"""``/queues`` and ``/statistics``: waiting work, and what has been done."""

from __future__ import annotations

from flask import Response
from flask_openapi import APIBlueprint, Tag

from tilework.web.api.documents import (
    API,
    QueueDocument,
    QueuesDocument,
    StatisticsDocument,
    answer,
)
from tilework.web.clients import services

api = APIBlueprint("service", __name__, url_prefix=API, abp_tags=[Tag(name="service")])


@api.get("/queues", operation_id="readQueues", responses={200: QueuesDocument})
def queues() -> Response:
    """Show how much work is waiting."""
    views = services().read.queues()
    return answer(QueuesDocument(queues=[QueueDocument.model_validate(view) for view in views]))


@api.get("/statistics", operation_id="readStatistics", responses={200: StatisticsDocument})
def statistics() -> Response:
    """Show what was submitted and solved since the database was made."""
    return answer(StatisticsDocument.model_validate(services().read.statistics()))
