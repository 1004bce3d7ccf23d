"""``/comparisons`` and ``/runs``: comparing methods, and reading single runs."""

from __future__ import annotations

from typing import Final, Literal
from uuid import UUID

from flask import Response, request
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel
from pydantic_core import to_json
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.links import API_ROOT
from tilework.core.messages import Message
from tilework.web.api.documents import (
    NOT_MODIFIED,
    cancel_responses,
    json_response,
    problem_responses,
    read_responses,
    submit_responses,
)
from tilework.web.api.lab.comparison_documents import (
    ComparisonDocument,
    comparison_document,
    comparison_url,
    format_json,
    format_table,
    results_schema,
)
from tilework.web.api.lab.comparison_requests import ComparisonFields
from tilework.web.api.lab.run_documents import RunDetailDocument, TraceDocument, run_detail_document
from tilework.web.api.polling import FollowQuery, accepted_response, poll_response, with_etag
from tilework.web.api.request_parsing import parsed_request
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import set_language_headers
from tilework.web.problems import NO_TRACE, ProblemError

api = APIBlueprint(
    "comparisons", __name__, url_prefix=f"{API_ROOT}/comparisons", abp_tags=[Tag(name="lab")]
)


class ComparisonPath(BaseModel):
    """The id of a comparison."""

    comparison_id: UUID


class ComparisonResultsQuery(BaseModel):
    """The format of the results."""

    format: Literal["csv", "json"] = "csv"


@api.post("", operation_id="submitComparison", responses=submit_responses(ComparisonDocument))
@parsed_request
def submit(body: ComparisonFields) -> Response:
    """Compare methods on a board, or on the boards of a sweep.

    Identical runs are shared by all clients. The status is 200 if every run has already ended, and
    202 otherwise. Location is the URL of the comparison. Repeating a request returns the same
    comparison.
    """
    view = services().comparisons.submit(body.to_request(current_client_id()))
    return accepted_response(
        comparison_document(view), comparison_url(view.id), finished=view.finished
    )


@api.get(
    "/<uuid:comparison_id>",
    operation_id="readComparison",
    responses=read_responses(ComparisonDocument),
)
@parsed_request
def comparison(path: ComparisonPath, query: FollowQuery) -> Response:
    """Retrieve a comparison. With wait, the response is sent once it has changed.

    The ETag is the version, followed by the language if that is not English. Anyone who knows the
    URL can read the comparison.
    """
    return poll_response(query, services().comparisons, path.comparison_id, comparison_document)


@api.delete(
    "/<uuid:comparison_id>",
    operation_id="cancelComparison",
    responses=cancel_responses(ComparisonDocument),
)
@parsed_request
def cancel(path: ComparisonPath) -> Response:
    """Cancel one of this client's comparisons. Runs needed by other clients continue."""
    client_id = known_client_id() or ""
    view = services().comparisons.cancel(str(path.comparison_id), client_id)
    return with_etag(json_response(comparison_document(view)), view.version)


@api.get(
    "/<uuid:comparison_id>/results",
    operation_id="readComparisonResults",
    responses={
        200: {
            "description": "One record per run, in order",
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                "application/json": {"schema": results_schema()},
            },
        },
        **problem_responses(404, 422),
    },
)
@parsed_request
def results(path: ComparisonPath, query: ComparisonResultsQuery) -> Response:
    """Download every run of a comparison with its board."""
    view = services().comparisons.view(str(path.comparison_id))
    if query.format == "csv":
        response = Response(format_table(view), content_type="text/csv; charset=utf-8")
    else:
        response = Response(format_json(view), content_type="application/json")
    name = f"tilework-comparison-{view.id}.{query.format}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-cache"
    return set_language_headers(response)


_IMMUTABLE: Final = "private, max-age=86400, immutable"

runs_api = APIBlueprint("runs", __name__, url_prefix=f"{API_ROOT}/runs", abp_tags=[Tag(name="lab")])


class RunPath(BaseModel):
    """The id of a run."""

    run_id: UUID


@runs_api.get(
    "/<uuid:run_id>",
    operation_id="readRun",
    responses={200: RunDetailDocument, 304: NOT_MODIFIED, **problem_responses(404)},
)
@parsed_request
def run(path: RunPath) -> BaseResponse:
    """Retrieve a run with its boards and its solution. Anyone who knows the URL can read it."""
    view = services().comparisons.run(str(path.run_id))
    response = set_language_headers(
        json_response(run_detail_document(view), Cache_Control="no-cache")
    )
    response.add_etag()
    return response.make_conditional(request.environ)


@runs_api.get(
    "/<uuid:run_id>/trace",
    operation_id="readTrace",
    responses={200: TraceDocument, 304: NOT_MODIFIED, **problem_responses(404)},
)
@parsed_request
def trace(path: RunPath) -> BaseResponse:
    """Retrieve the steps of a run, if its comparison requested them."""
    run_id = str(path.run_id)
    steps = services().comparisons.trace(run_id)
    if steps is None:
        raise _no_trace_problem(run_id)
    response = Response(to_json(steps, inf_nan_mode="null"), content_type="application/json")
    response.headers["Cache-Control"] = _IMMUTABLE
    response.set_etag(run_id, weak=True)  # the same for every compression
    return response.make_conditional(request.environ)


def _no_trace_problem(run_id: str) -> ProblemError:
    view = services().comparisons.run(run_id)
    if not view.run.state.ended:
        return ProblemError(
            NO_TRACE,
            Message(
                "run-not-ended",
                "The run is {state}; its steps will be available when it ends.",
                state=view.run.state,
            ),
        )
    if view.window is None:
        return ProblemError(
            NO_TRACE,
            Message(
                "no-trace-requested",
                "This run was not recorded; run the comparison again with a trace.",
            ),
        )
    return ProblemError(
        NO_TRACE,
        Message(
            "no-trace-kept",
            "The run ended ({state}) and none of its steps were recorded.",
            state=view.run.state,
        ),
    )
