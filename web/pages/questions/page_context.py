"""Template variables of the pages of games and shortest paths."""

from __future__ import annotations

from typing import Any

from tilework.core.model.tasks import Question, Task
from tilework.web.clients import known_client_id
from tilework.web.pages.forms import describe_goal, encode_goal, encode_tiles
from tilework.web.pages.texts import state_names


def question_context(view: Task[Any]) -> dict[str, Any]:
    spec: Question = view.spec
    return {
        "question": view,
        "summary": describe_goal(spec.goal),
        "state": state_names()[view.state],
        "tiles": encode_tiles(spec.start),
        "goal_tiles": encode_goal(spec.goal),
        "can_cancel": not view.finished and known_client_id() == view.client_id,
    }
