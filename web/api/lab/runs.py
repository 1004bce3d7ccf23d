"""``/runs``: one run of the lab, with its solution, and what it did step by step."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Response, request
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel
from pydantic_core import to_json
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.messages import Message
from tilework.web.api.documents import API, answer
from tilework.web.api.lab.outcomes import problems
from tilework.web.api.lab.run_documents import RunDetailDocument, run_detail_document
from tilework.web.api.lab.trace_documents import TraceDocument
from tilework.web.api.request_models import checked
from tilework.web.clients import services
from tilework.web.i18n import name_language
from tilework.web.problems import NO_TRACE, ProblemError

_NEVER_CHANGES: Final = "private, max-age=86400, immutable"

api = APIBlueprint("runs", __name__, url_prefix=f"{API}/runs", abp_tags=[Tag(name="lab")])


class RunPath(BaseModel):
    """A run's address."""

    run_id: UUID


@api.get(
    "/<uuid:run_id>",
    operation_id="readRun",
    responses={
        200: RunDetailDocument,
        304: {"description": "It is still as the ETag named says"},
        **problems(404),
    },
)
@checked
def run(path: RunPath) -> BaseResponse:
    """Show a run with its boards and its solution. Anyone who has the address may look."""
    view = services().comparisons.run(str(path.run_id))
    response = name_language(answer(run_detail_document(view), Cache_Control="no-cache"))
    response.add_etag()
    return response.make_conditional(request.environ)


@api.get(
    "/<uuid:run_id>/trace",
    operation_id="readTrace",
    responses={
        200: TraceDocument,
        304: {"description": "A trace never changes"},
        **problems(404),
    },
)
@checked
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
