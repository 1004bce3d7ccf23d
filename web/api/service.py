"""``/queues`` and ``/statistics``: the state of the service."""

from __future__ import annotations

from flask import Response
from flask_openapi import APIBlueprint, Tag

from tilework.core.links import API_ROOT
from tilework.core.model.operation import QueueView, StatisticsView
from tilework.web.api.documents import Document, json_response
from tilework.web.clients import services

api = APIBlueprint("service", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="service")])


class QueuesDocument(Document):
    """All queues, in the order in which workers serve them."""

    queues: list[QueueView]


@api.get("/queues", operation_id="readQueues", responses={200: QueuesDocument})
def queues() -> Response:
    """Retrieve the amount of work waiting in each queue."""
    return json_response(QueuesDocument(queues=services().read.queues()))


@api.get("/statistics", operation_id="readStatistics", responses={200: StatisticsView})
def statistics() -> Response:
    """Retrieve statistics about the service."""
    return json_response(services().read.statistics())
