"""``/analyses``: having games analysed, and following that."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, Literal
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from tilework.core.formats.moves_text import MOST_CHARACTERS, read_moves
from tilework.core.model.questions import AnalysisView, GameSpec
from tilework.core.puzzle.goals import GoalName
from tilework.core.services.analyses.games import GameRequest
from tilework.web.api.analyses.game_documents import (
    AnalysisDocument,
    analysis_address,
    analysis_fields,
)
from tilework.web.api.boards_in import BoardInput, GoalInput, Width, board_of, goal_of
from tilework.web.api.documents import API, answer
from tilework.web.api.lab.outcomes import problems
from tilework.web.api.polling import FollowQuery, followed, tagged, taken
from tilework.web.api.request_models import checked
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.long_poll import follow_analysis

_MOST_TIMES: Final = 20_000

api = APIBlueprint("analyses", __name__, url_prefix=f"{API}/analyses", abp_tags=[Tag(name="games")])


class GameFields(BaseModel):
    """A game: a board and the moves that were made on it, whether or not they solve it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"board": "1 2 3 4 5 6 0 7 8", "moves": "LRLL"}],
        },
    )

    board: BoardInput
    goal: GoalInput = GoalName.BLANK_LAST
    width: Width = None
    moves: Annotated[
        str,
        Field(
            max_length=MOST_CHARACTERS,
            description="At most 10,000, in any format that solutions are written in: LURD, L2U, "
            "arrows, the tiles that slide, JSON, or every board",
            examples=["LRLL"],
        ),
    ]
    named_by: Literal["tile", "blank"] = Field(
        "tile", description="Whose way letters and arrows name"
    )
    times_ms: list[int] | None = Field(
        None,
        max_length=_MOST_TIMES,
        description="When each move was made, in milliseconds since the first",
    )
    time_limit_s: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="What the analysis may take, in seconds"
    )

    def request_of(self, client_id: str) -> GameRequest:
        """Return them as a client's request.

        Raises
        ------
        InputError
            If board, goal or moves are invalid, or do not fit.
        """
        start = board_of(self.board, self.width)
        return GameRequest(
            client_id=client_id,
            start=start,
            goal=goal_of(self.goal, start.size),
            moves=read_moves(self.moves, start, blank_moves=self.named_by == "blank"),
            times_ms=None if self.times_ms is None else tuple(self.times_ms),
            seconds=self.time_limit_s,
        )


class AnalysisPath(BaseModel):
    """An analysis's address."""

    analysis_id: UUID


@api.post(
    "",
    operation_id="submitAnalysis",
    responses={
        200: AnalysisDocument,
        202: AnalysisDocument,
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
@checked
def submit(body: GameFields) -> Response:
    """Have a game analysed: what remains at each of its positions, where moves were lost, loops.

    202, and the analysis is at Location. The same game of the same client is the same analysis: 200
    where it has ended.
    """
    view = services().analyse(body.request_of(current_client_id()))
    return taken(analysis_fields(view), analysis_address(view.id), finished=view.finished)


@api.get(
    "/<uuid:analysis_id>",
    operation_id="readAnalysis",
    responses={
        200: AnalysisDocument,
        304: {"description": "The version is still the one named"},
        **problems(404, 422),
    },
)
@checked
def analysis(path: AnalysisPath, query: FollowQuery) -> Response:
    """Show where an analysis stands; with wait, once that has changed.

    The ETag is the version, with the language where that is not English. Anyone who has the
    address may look.
    """
    analysis_id = str(path.analysis_id)
    return followed(
        query,
        partial(services().analyses.version, analysis_id),
        partial(follow_analysis, services().analyses, analysis_id),
        _document,
    )


@api.delete(
    "/<uuid:analysis_id>",
    operation_id="cancelAnalysis",
    responses={200: AnalysisDocument, **problems(401, 403, 404, 429)},
)
@checked
def cancel(path: AnalysisPath) -> Response:
    """Cancel an analysis of this client."""
    view = services().cancel_analysis(str(path.analysis_id), known_client_id() or "")
    return tagged(_document(view), view.version)


def _document(view: AnalysisView[GameSpec]) -> Response:
    return answer(analysis_fields(view))
