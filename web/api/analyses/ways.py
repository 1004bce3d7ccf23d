"""``/ways``: having all shortest solutions of a board found, and following that."""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from tilework.core.model.questions import AnalysisView, WaysSpec
from tilework.core.puzzle.goals import GoalName
from tilework.core.services.analyses.ways import WaysRequest
from tilework.web.api.analyses.ways_documents import (
    MEBIBYTE,
    WaysDocument,
    ways_address,
    ways_fields,
)
from tilework.web.api.boards_in import BoardInput, GoalInput, Width, board_of, goal_of
from tilework.web.api.documents import API, answer
from tilework.web.api.lab.outcomes import problems
from tilework.web.api.polling import FollowQuery, followed, tagged, taken
from tilework.web.api.request_models import checked
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.long_poll import follow_analysis

_MOST_MEBIBYTES: Final = 1 << 24

api = APIBlueprint("ways", __name__, url_prefix=f"{API}/ways", abp_tags=[Tag(name="ways")])


class WaysFields(BaseModel):
    """A board of up to 16 cells."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"board": "8 6 7 2 5 4 3 0 1"}]},
    )

    board: BoardInput
    goal: GoalInput = GoalName.BLANK_LAST
    width: Width = None
    time_limit_s: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="What the search may take, in seconds"
    )
    memory_limit_mb: int | None = Field(
        None,
        gt=0,
        le=_MOST_MEBIBYTES,
        description="What the boards may take that it keeps, of 1,048,576 bytes each",
    )

    def request_of(self, client_id: str) -> WaysRequest:
        """Return them as a client's request.

        Raises
        ------
        InputError
            If board or goal are invalid, or do not fit.
        """
        start = board_of(self.board, self.width)
        memory = self.memory_limit_mb
        return WaysRequest(
            client_id=client_id,
            start=start,
            goal=goal_of(self.goal, start.size),
            seconds=self.time_limit_s,
            memory_bytes=None if memory is None else memory * MEBIBYTE,
        )


class WaysPath(BaseModel):
    """The address of a search for ways."""

    ways_id: UUID


@api.post(
    "",
    operation_id="submitWays",
    responses={
        200: WaysDocument,
        202: WaysDocument,
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
@checked
def submit(body: WaysFields) -> Response:
    """Have all shortest solutions of a board found: how many, which, and one of the fewest slides.

    202, and the search is at Location. The same board of the same client is the same search: 200
    where it has ended.
    """
    view = services().submit_ways(body.request_of(current_client_id()))
    return taken(ways_fields(view), ways_address(view.id), finished=view.finished)


@api.get(
    "/<uuid:ways_id>",
    operation_id="readWays",
    responses={
        200: WaysDocument,
        304: {"description": "The version is still the one named"},
        **problems(404, 422),
    },
)
@checked
def ways(path: WaysPath, query: FollowQuery) -> Response:
    """Show where a search for ways stands; with wait, once that has changed.

    The ETag is the version, with the language where that is not English. Anyone who has the
    address may look.
    """
    ways_id = str(path.ways_id)
    return followed(
        query,
        partial(services().ways.version, ways_id),
        partial(follow_analysis, services().ways, ways_id),
        _document,
    )


@api.delete(
    "/<uuid:ways_id>",
    operation_id="cancelWays",
    responses={200: WaysDocument, **problems(401, 403, 404, 429)},
)
@checked
def cancel(path: WaysPath) -> Response:
    """Cancel a search for ways of this client."""
    view = services().cancel_ways(str(path.ways_id), known_client_id() or "")
    return tagged(_document(view), view.version)


def _document(view: AnalysisView[WaysSpec]) -> Response:
    return answer(ways_fields(view))
