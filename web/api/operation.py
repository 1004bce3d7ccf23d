"""``/queues``, ``/statistics``, and ``/operator`` with the actions of operators."""

from __future__ import annotations

from typing import Annotated

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from tilework.core.links import API_ROOT, with_job_links
from tilework.core.model.jobs import JobView
from tilework.core.model.operation import OperatorView, QueueView, StatisticsView
from tilework.core.model.states import Priority, SuspensionKind
from tilework.web.api.documents import Document, json_response
from tilework.web.api.operation_decorator import operation
from tilework.web.api.request_parsing import Id
from tilework.web.clients import require_operator, services
from tilework.web.i18n import set_language_headers

service_api = APIBlueprint("service", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="service")])
api = APIBlueprint(
    "operation", __name__, url_prefix=f"{API_ROOT}/operator", abp_tags=[Tag(name="operator")]
)
api.before_request(require_operator)


class QueuesDocument(Document):
    """All queues, in the order in which workers serve them."""

    queues: list[QueueView]


@operation(service_api.get, "/queues", "readQueues", QueuesDocument)
def queues() -> Response:
    """Retrieve the amount of work waiting in each queue."""
    return json_response(QueuesDocument(queues=services().read.queues()))


@operation(service_api.get, "/statistics", "readStatistics", StatisticsView)
def statistics() -> Response:
    """Retrieve statistics about the service."""
    return json_response(services().read.statistics())


SuspendedName = Annotated[
    str, Field(description="The name of a queue or worker, or the id of a client.")
]
DatabaseName = Annotated[str, Field(max_length=60, description="A name such as 5x5-6-6-6-6.")]


class PriorityRequest(BaseModel):
    """A new priority."""

    model_config = ConfigDict(extra="forbid")

    priority: Priority


_DONE = {204: {"description": "Done"}}


@operation(api.get, "", "readOperation", OperatorView, 401, 403)
def view() -> Response:
    """Retrieve the state of queues, workers, jobs and pattern databases, and what went wrong."""
    state = services().operation.view()
    return set_language_headers(json_response(state, Cache_Control="private, no-store"))


@operation(api.put, "/suspensions/<kind>/<name>", "suspend", _DONE, 404)
def suspend(kind: SuspensionKind, name: SuspendedName) -> Response:
    """Suspend a queue, a worker or a client.

    The work of a suspended queue waits; slices that are running end normally. A suspended worker
    stores its current work and takes no more. A suspended client can submit nothing.
    """
    services().operation.suspend(kind, name)
    return Response(status=204)


@operation(api.delete, "/suspensions/<kind>/<name>", "resume", _DONE, 404)
def resume(kind: SuspensionKind, name: SuspendedName) -> Response:
    """End a suspension, if there is one."""
    services().operation.resume(kind, name)
    return Response(status=204)


@operation(api.delete, "/jobs/<uuid:job_id>", "cancelAnyJob", JobView)
def cancel(job_id: Id) -> Response:
    """Cancel a job of any client. A job that has ended does not change."""
    view = services().operation.cancel(job_id)
    return json_response(with_job_links(view))


@operation(api.put, "/jobs/<uuid:job_id>/priority", "setPriority", JobView)
def set_priority(job_id: Id, body: PriorityRequest) -> Response:
    """Change the priority of a job among the jobs of its client."""
    view = services().operation.set_priority(job_id, body.priority)
    return json_response(with_job_links(view))


@operation(api.post, "/quarantine/<uuid:solve_id>/retry", "retryQuarantined", _DONE)
def retry(solve_id: Id) -> Response:
    """Let quarantined work be searched again: now, or when a job needs it."""
    services().operation.retry(solve_id)
    return Response(status=204)


@operation(api.delete, "/quarantine/<uuid:solve_id>", "dropQuarantined", _DONE)
def drop(solve_id: Id) -> Response:
    """Delete a search with quarantined work. It restarts from the proven bounds."""
    services().operation.drop(solve_id)
    return Response(status=204)


@operation(api.post, "/databases/<name>/build", "buildDatabase", _DONE, 404, 503)
def build(name: DatabaseName) -> Response:
    """Let a worker build a pattern database, even if it exceeds the budget.

    Workers see the request if they use the same folder as the web process.
    """
    services().operation.databases.request_build(name)
    return Response(status=204)


@operation(api.delete, "/databases/<name>", "deleteDatabase", _DONE, 404, 503)
def delete(name: DatabaseName) -> Response:
    """Delete a pattern database, or a request to build it.

    Running searches keep using it. Workers build a default database that fits into the budget
    again within a minute.
    """
    services().operation.databases.delete(name)
    return Response(status=204)
