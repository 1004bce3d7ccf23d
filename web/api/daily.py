"""``/daily``: the board of a day, the same for everybody."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final, Literal

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field, WithJsonSchema

from tilework.core.puzzle.daily import (
    FIRST_DAY,
    LEAST_SIDE,
    MOST_SIDE,
    check_day,
    daily_board,
    day_of,
)
from tilework.core.puzzle.goals import GoalName
from tilework.web.api.documents import API, Document, Tiles, answer
from tilework.web.api.lab.outcomes import problems
from tilework.web.api.request_models import checked

_YEAR_S: Final = 365 * 86_400
_TOMORROW: Final = timedelta(days=1)

api = APIBlueprint("daily", __name__, url_prefix=f"{API}/daily", abp_tags=[Tag(name="boards")])

Day = Annotated[
    str,
    WithJsonSchema({"type": "string", "format": "date", "examples": [FIRST_DAY.isoformat()]}),
]


class DailyPath(BaseModel):
    """A day and a size."""

    date: Day = Field(description=f"From {FIRST_DAY} to tomorrow, in UTC")
    size: int = Field(ge=LEAST_SIDE, le=MOST_SIDE, description="Tiles a side, the blank included")


class DailyDocument(Document):
    """The board of a day."""

    date: str = Field(examples=[FIRST_DAY.isoformat()])
    size: int
    board: Tiles
    goal: Literal["blank-last"]


@api.get(
    "/<date>/<size>",
    operation_id="readDailyBoard",
    responses={200: DailyDocument, **problems(404, 422)},
)
@checked
def daily(path: DailyPath) -> Response:
    """Show the board of a day, drawn from all solvable ones; it never changes.

    Tomorrow's is there too: somewhere it is tomorrow already.
    """
    day = day_of(path.date)
    check_day(day, _today() + _TOMORROW)
    document = DailyDocument.model_validate(
        {
            "date": path.date,
            "size": path.size,
            "board": daily_board(day, path.size),
            "goal": GoalName.BLANK_LAST.value,
        }
    )
    return answer(document, Cache_Control=f"public, max-age={_YEAR_S}, immutable")


def _today() -> date:
    return datetime.now(UTC).date()
