"""What the API's documents of games and of ways have in common: the board, and how it stands."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from tilework.core.model.questions import AnalysisView, Spec
from tilework.core.model.states import RunState
from tilework.core.services.jobs.document import Code, Seconds
from tilework.web.api.documents import Document, Tiles
from tilework.web.i18n import say


class QuestionDocument(Document):
    """A question about a board."""

    id: str
    state: RunState
    version: str
    width: int
    height: int
    board: Tiles
    goal: Tiles
    time_limit_s: float
    created_at: Seconds
    started_at: Seconds | None
    finished_at: Seconds | None
    message: str | None = Field(description="Why it failed")
    message_code: Code


def question_fields(view: AnalysisView[Any]) -> dict[str, Any]:
    spec: Spec = view.spec
    return {
        "id": view.id,
        "state": view.state,
        "version": view.version,
        "width": spec.start.width,
        "height": spec.start.height,
        "board": spec.start,
        "goal": spec.goal,
        "time_limit_s": spec.seconds,
        "created_at": view.created_at,
        "started_at": view.started_at,
        "finished_at": view.finished_at,
        "message": None if view.message is None else say(view.message),
        "message_code": view.message,
        "result": view.result,
    }
