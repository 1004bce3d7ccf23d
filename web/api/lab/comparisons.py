"""``/comparisons`` and ``/runs``: having methods compared, following that, reading one run."""

from __future__ import annotations

from typing import Final, Literal
from uuid import UUID

from flask import Response, request
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel
from pydantic_core import to_json
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.messages import Message
from tilework.core.services.jobs.document import API_ROOT
from tilework.web.api.documents import json_response
from tilework.web.api.lab.comparison_documents import (
    ComparisonDocument,
    comparison_address,
    comparison_document,
    json_pieces,
    results_schema,
    table,
)
from tilework.web.api.lab.comparison_requests import ComparisonFields
from tilework.web.api.lab.run_documents import RunDetailDocument, TraceDocument, run_detail_document
from tilework.web.api.polling import FollowQuery, accepted_response, poll_response, with_etag
from tilework.web.api.request_parsing import (
    cancel_responses,
    parsed_request,
    problem_responses,
    read_responses,
    submit_responses,
)
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import set_language_headers
from tilework.web.problems import NO_TRACE, ProblemError

api = APIBlueprint(
    "comparisons", __name__, url_prefix=f"{API_ROOT}/comparisons", abp_tags=[Tag(name="lab")]
)


class ComparisonPath(BaseModel):
    """A comparison's address."""

    comparison_id: UUID


class ResultsQuery(BaseModel):
    """How to write the results."""

    format: Literal["csv", "json"] = "csv"


@api.post("", operation_id="submitComparison", responses=submit_responses(ComparisonDocument))
@parsed_request
def submit(body: ComparisonFields) -> Response:
    """Have methods compared on a board, or on the boards of a sweep.

    200 where every run has ended, as they are shared among all who ask for them; else 202. The
    comparison is at Location. The same request of the same client is the same comparison.
    """
    view = services().comparisons.submit(body.request_of(current_client_id()))
    return accepted_response(
        comparison_document(view), comparison_address(view.id), finished=view.finished
    )


@api.get(
    "/<uuid:comparison_id>",
    operation_id="readComparison",
    responses=read_responses(ComparisonDocument),
)
@parsed_request
def comparison(path: ComparisonPath, query: FollowQuery) -> Response:
    """Show where a comparison stands; with wait, once that has changed.

    The ETag is the version, with the language where that is not English. Anyone who has the
    address may look.
    """
    return poll_response(query, services().comparisons, path.comparison_id, comparison_document)


@api.delete(
    "/<uuid:comparison_id>",
    operation_id="cancelComparison",
    responses=cancel_responses(ComparisonDocument),
)
@parsed_request
def cancel(path: ComparisonPath) -> Response:
    """Cancel a comparison of this client; runs that others want too go on."""
    client_id = known_client_id() or ""
    view = services().comparisons.cancel(str(path.comparison_id), client_id)
    return with_etag(json_response(comparison_document(view)), view.version)


@api.get(
    "/<uuid:comparison_id>/results",
    operation_id="readComparisonResults",
    responses={
        200: {
            "description": "A record for each run, in their order, as a stream",
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                "application/json": {"schema": results_schema()},
            },
        },
        **problem_responses(404, 422),
    },
)
@parsed_request
def results(path: ComparisonPath, query: ResultsQuery) -> Response:
    """Write every run of a comparison as a file, with its board."""
    view = services().comparisons.view(str(path.comparison_id))
    if query.format == "csv":
        response = Response(table(view), content_type="text/csv; charset=utf-8")
    else:
        response = Response(json_pieces(view), content_type="application/json")
    name = f"tilework-comparison-{view.id}.{query.format}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-cache"
    return set_language_headers(response)


_NEVER_CHANGES: Final = "private, max-age=86400, immutable"

runs_api = APIBlueprint("runs", __name__, url_prefix=f"{API_ROOT}/runs", abp_tags=[Tag(name="lab")])


class RunPath(BaseModel):
    """A run's address."""

    run_id: UUID


@runs_api.get(
    "/<uuid:run_id>",
    operation_id="readRun",
    responses={
        200: RunDetailDocument,
        304: {"description": "It is still as the ETag named says"},
        **problem_responses(404),
    },
)
@parsed_request
def run(path: RunPath) -> BaseResponse:
    """Show a run with its boards and its solution. Anyone who has the address may look."""
    view = services().comparisons.run(str(path.run_id))
    response = set_language_headers(
        json_response(run_detail_document(view), Cache_Control="no-cache")
    )
    response.add_etag()
    return response.make_conditional(request.environ)


@runs_api.get(
    "/<uuid:run_id>/trace",
    operation_id="readTrace",
    responses={
        200: TraceDocument,
        304: {"description": "A trace never changes"},
        **problem_responses(404),
    },
)
@parsed_request
def trace(path: RunPath) -> BaseResponse:
    """Show what a run did, step by step, if its comparison asked for that."""
    run_id = str(path.run_id)
    found = services().comparisons.trace(run_id)
    if found is None:
        raise _none_of(run_id)
    response = Response(to_json(found, inf_nan_mode="null"), content_type="application/json")
    response.headers["Cache-Control"] = _NEVER_CHANGES
    response.set_etag(run_id)
    return response.make_conditional(request.environ)


def _none_of(run_id: str) -> ProblemError:
    view = services().comparisons.run(run_id)
    if not view.run.state.ended:
        return ProblemError(
            NO_TRACE,
            Message(
                "run-not-ended",
                "The run is {state}; its steps are available once it has ended.",
                state=view.run.state,
            ),
        )
    if view.window is None:
        return ProblemError(
            NO_TRACE,
            Message(
                "no-trace-requested",
                "The steps of this run were not requested; compare again with a trace.",
            ),
        )
    return ProblemError(
        NO_TRACE,
        Message(
            "no-trace-kept",
            "The run ended {state}, and none of its steps are kept.",
            state=view.run.state,
        ),
    )
