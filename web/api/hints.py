"""``/hints``: the next move of a board, for whoever plays."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field

from tilework.core.puzzle.moves import to_letters
from tilework.core.services.jobs.document import API_ROOT, job_address
from tilework.core.services.jobs.hints import HintView
from tilework.web.api.board_inputs import BoardFields
from tilework.web.api.documents import Document, Letters, json_response
from tilework.web.api.jobs import LONGEST_MOVES
from tilework.web.api.polling import wait_for_change
from tilework.web.api.request_parsing import parsed_request, submit_responses
from tilework.web.clients import current_client_id, services

_RETRY_AFTER_S: Final = 1

api = APIBlueprint("hints", __name__, url_prefix=f"{API_ROOT}/hints", abp_tags=[Tag(name="hints")])


class HintRequest(BoardFields):
    """A board on which somebody wants to know the next move."""


class WaitQuery(BaseModel):
    """How long to wait."""

    wait: float = Field(
        2,
        ge=0,
        allow_inf_nan=False,
        description="Seconds to wait, up to 20, for a way that is good enough: a shortest one up "
        "to 16 cells, one within a gap of 0.25 up to 36, any of larger boards",
    )


class HintDocument(Document):
    """The next move, and what is known of the way to the goal."""

    solved: bool = Field(description="Whether the board is the goal")
    tile: int | None = Field(
        description="The tile to move; null where no way is known, or needed", examples=[7]
    )
    direction: Literal["left", "right", "up", "down"] | None = Field(
        description="Which way it goes", examples=["left"]
    )
    lower_bound: int = Field(description="No way to the goal is shorter; proved", examples=[2])
    upper_bound: int | None = Field(
        description="Moves of the way that is known, the hint included", examples=[2]
    )
    optimal: bool = Field(description="Whether it is proved that no way is shorter")
    moves: Letters | None = Field(
        description="The whole way, each move by the way its tile goes; the first is the hint. "
        f"null where it has over {LONGEST_MOVES} moves",
        examples=["LL"],
    )
    job_id: str | None = Field(
        description="The job that looks for a better way; null where what was known will do"
    )


@api.post("", operation_id="giveHint", responses=submit_responses(HintDocument))
@parsed_request
def hint(body: HintRequest, query: WaitQuery) -> Response:
    """Say which tile to move next.

    200 with the first move of the best way that is known, once one is good enough or the time to
    wait is over; 202 while none is known: ask again. The rest of a way is remembered: whoever moves
    as told is answered at once, and is one move nearer.
    """
    board, goal = body.puzzle()
    given = services().hint(current_client_id(), board, goal)
    if given.job_id is not None and query.wait:
        read, job_id = services().read, given.job_id
        look, wait = partial(read.view, job_id, brief=True), partial(read.wait, job_id, brief=True)
        wait_for_change(look, wait, None, query.wait)
        given = services().hint.again(given, goal)
    response = json_response(_document(given))
    if given.job_id is not None:
        response.headers["Location"] = job_address(given.job_id)
    if given.hint.moves is None:
        response.status_code = 202
        response.headers["Retry-After"] = str(_RETRY_AFTER_S)
    return response


def _document(given: HintView) -> HintDocument:
    found = given.hint
    length = found.upper_bound
    return HintDocument.model_validate(
        {
            "solved": found.solved,
            "tile": found.tile,
            "direction": found.direction,
            "lower_bound": found.lower_bound,
            "upper_bound": length,
            "optimal": found.optimal,
            "moves": None
            if found.moves is None or len(found.moves) > LONGEST_MOVES
            else to_letters(found.moves),
            "job_id": given.job_id,
        }
    )
