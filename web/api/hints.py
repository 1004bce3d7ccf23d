"""``/hints``: the next move for a player."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import Field

from tilework.core.links import API_ROOT, job_url
from tilework.web.api.documents import (
    MAX_INLINE_MOVES,
    RETRY_AFTER_S,
    Document,
    InlineLetters,
    ReadAs,
    json_response,
)
from tilework.web.api.operation_decorator import operation, submission_responses
from tilework.web.api.polling import WaitSeconds, wait_for_end
from tilework.web.api.request_parsing import BoardFields
from tilework.web.clients import current_client_id, services

api = APIBlueprint("hints", __name__, url_prefix=f"{API_ROOT}/hints", abp_tags=[Tag(name="hints")])


class HintRequest(BoardFields):
    """The board to get a hint for."""


Wait = Annotated[
    WaitSeconds,
    Field(
        description="How many seconds to wait, up to 20, for a good enough solution: an "
        "optimal solution for up to 16 cells, a solution within a gap of 0.25 for up to 36 cells, "
        "any solution for larger boards.",
    ),
]


class HintDocument(Document):
    """The next move, and the best known solution."""

    solved: bool = Field(description="Whether the board is the goal.")
    tile: int | None = Field(
        description="The tile to move. null if the board is solved or no solution is known.",
        examples=[7],
    )
    direction: Literal["left", "right", "up", "down"] | None = Field(
        description="The direction in which the tile moves.", examples=["left"]
    )
    lower_bound: int = Field(
        description="A proven lower bound on the length of any solution.", examples=[2]
    )
    upper_bound: int | None = Field(
        description="The length of the best known solution, including the hint.", examples=[2]
    )
    optimal: bool = Field(description="Whether the solution is proven optimal.")
    moves: InlineLetters = Field(
        description="The whole solution, starting with the hint. Each letter is the direction in "
        f"which a tile moves. null if it has more than {MAX_INLINE_MOVES:,} moves.",
    )
    read_as: ReadAs
    job_id: str | None = Field(
        None, description="The job that searches for a better solution, or null if none is needed."
    )


@operation(api.post, "", "giveHint", submission_responses(HintDocument), 503)
def hint(body: HintRequest, wait: Wait = 2) -> Response:
    """Get the next move.

    The status is 200, with the first move of the best known solution, as soon as that is good
    enough or the wait times out. It is 202 while no solution is known: try again. The rest
    of the solution is stored, so that hints for the following boards are immediate.
    """
    board, goal = body.puzzle()
    hint_view = services().hint(current_client_id(), board, goal)
    if hint_view.job_id is not None and wait:
        wait_for_end(hint_view.job_id, wait, brief=True)
        hint_view = services().hint.refresh(hint_view, goal)
    document = HintDocument.model_validate(hint_view.hint)
    response = json_response(document.model_copy(update={"job_id": hint_view.job_id}))
    if hint_view.job_id is not None:
        response.headers["Location"] = job_url(hint_view.job_id)
    if hint_view.hint.moves is None:
        response.status_code = 202
        response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response
