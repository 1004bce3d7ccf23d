"""``/runs``: runs of the lab with their solutions and traces."""

from __future__ import annotations

from typing import Annotated, Final

from flask import Response, request
from flask_openapi import APIBlueprint, Tag
from pydantic import AliasPath, BeforeValidator, Field, PlainSerializer, RootModel, computed_field
from pydantic_core import to_json
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.lab.methods import LabAlgorithm, LabHeuristic, Method
from tilework.core.lab.result import Trace, TraceWindow
from tilework.core.links import API_ROOT
from tilework.core.messages import Message
from tilework.core.model.comparisons import ComparedRun, Run, StoredMessage
from tilework.core.model.tasks import RunDetail
from tilework.web.api.documents import (
    MAX_INLINE_MOVES,
    Code,
    InlineLetters,
    Mebibytes,
    Tiles,
    json_response,
)
from tilework.web.api.operation_decorator import operation, poll_responses
from tilework.web.api.request_parsing import Id
from tilework.web.clients import services
from tilework.web.i18n import set_language_headers, translate, translate_text
from tilework.web.problems import NO_TRACE, ProblemError

api = APIBlueprint("runs", __name__, url_prefix=f"{API_ROOT}/runs", abp_tags=[Tag(name="lab")])


def _title(method: Method) -> str:
    return " · ".join(map(translate_text, method.title_parts))


def _translate(message: Message | None) -> str | None:
    return None if message is None else translate(message)


class _RunFields(Run, from_attributes=True):
    """A run in the language of the request, with its links."""

    title: Annotated[str, BeforeValidator(_title)] = Field(
        validation_alias="method", examples=["Weighted A* · Manhattan · 2"]
    )
    algorithm: LabAlgorithm = Field(validation_alias=AliasPath("method", "algorithm"))
    heuristic: LabHeuristic | None = Field(validation_alias=AliasPath("method", "heuristic"))
    weight: float | None = Field(validation_alias=AliasPath("method", "weight"))
    beam_width: int | None = Field(validation_alias=AliasPath("method", "width"))
    message: Annotated[
        StoredMessage | None, PlainSerializer(_translate, return_type=str | None)
    ] = Field(description="Why there is no solution.")
    message_code: Code = Field(validation_alias="message", examples=["exhausted"])

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """URLs of related resources; trace only if steps are stored."""
        url = f"{API_ROOT}/runs/{self.id}"
        return {"self": url} | ({"trace": f"{url}/trace"} if self.has_trace else {})


class RunDocument(_RunFields, ComparedRun):
    """A run as a row of a comparison."""


class RunDetailDocument(_RunFields):
    """A run with its boards, its limits and its solution."""

    width: int = Field(validation_alias=AliasPath("spec", "goal", "width"))
    height: int = Field(validation_alias=AliasPath("spec", "goal", "height"))
    board: Tiles = Field(validation_alias=AliasPath("spec", "start"))
    goal: Tiles = Field(validation_alias=AliasPath("spec", "goal"))
    time_limit_s: float = Field(validation_alias=AliasPath("spec", "limits", "seconds"))
    node_limit: int = Field(validation_alias=AliasPath("spec", "limits", "nodes"))
    memory_limit_mb: Mebibytes = Field(validation_alias=AliasPath("spec", "limits", "memory_bytes"))
    trace: TraceWindow | None = Field(
        validation_alias=AliasPath("spec", "window"), description="Which steps were requested."
    )
    moves: InlineLetters = Field(
        description="The moves of the solution. Each letter is the direction in which a tile "
        f"moves. null without a solution, or if it has more than {MAX_INLINE_MOVES:,} moves."
    )


class TraceDocument(RootModel[Trace]):
    """The requested steps of a run, in order."""


_IMMUTABLE: Final = "private, max-age=86400, immutable"


@operation(api.get, "/<uuid:run_id>", "readRun", poll_responses(RunDetailDocument))
def run(run_id: Id) -> BaseResponse:
    """Retrieve a run with its boards and its solution. Anyone who knows the URL can read it."""
    document = RunDetailDocument.model_validate(services().comparisons.run(run_id))
    response = set_language_headers(json_response(document, Cache_Control="no-cache"))
    response.add_etag()
    return response.make_conditional(request.environ)


@operation(api.get, "/<uuid:run_id>/trace", "readTrace", poll_responses(TraceDocument))
def trace(run_id: Id) -> BaseResponse:
    """Retrieve the steps of a run, if its comparison requested them."""
    steps = services().comparisons.trace(run_id)
    if steps is None:
        raise ProblemError(NO_TRACE, _explain_missing_trace(services().comparisons.run(run_id)))
    response = Response(to_json(steps, inf_nan_mode="null"), content_type="application/json")
    response.headers["Cache-Control"] = _IMMUTABLE
    response.set_etag(run_id, weak=True)  # the same for every compression
    return response.make_conditional(request.environ)


def _explain_missing_trace(run: RunDetail) -> Message:
    if not run.state.ended:
        return Message(
            "run-not-ended",
            "The run is {state}; its steps will be available when it ends.",
            state=run.state,
        )
    if run.spec.window is None:
        return Message(
            "no-trace-requested",
            "This run was not recorded; run the comparison again with a trace.",
        )
    return Message(
        "no-trace-kept",
        "The run ended ({state}) and none of its steps were recorded.",
        state=run.state,
    )
