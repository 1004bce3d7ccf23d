"""Template variables of the pages of games and shortest paths, and recent questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tilework.core.model.states import RunState
from tilework.core.model.tasks import Q, Question, Task
from tilework.core.services.tasks.questions import QuestionService
from tilework.web.clients import known_client_id
from tilework.web.i18n import translate
from tilework.web.pages.forms import describe_goal, encode_goal, encode_tiles
from tilework.web.pages.texts import state_names

_RECENT: Final = 8


class RecentQuestion(NamedTuple):
    url: str
    title: str
    state: RunState
    state_name: str


def list_recent_questions(
    reader: QuestionService[Q],
    make_url: Callable[[str], str],
    make_title: Callable[[Q], str],
) -> list[RecentQuestion]:
    client_id = known_client_id()
    views = reader.list_by_client(client_id, _RECENT) if client_id else []
    names = state_names()
    return [
        RecentQuestion(make_url(view.id), make_title(view.spec), view.state, names[view.state])
        for view in views
    ]


def question_context(view: Task[Any]) -> dict[str, Any]:
    spec: Question = view.spec
    return {
        "question": view,
        "summary": describe_goal(spec.goal),
        "size": str(spec.start.size),
        "tiles": encode_tiles(spec.start),
        "goal_tiles": encode_goal(spec.goal),
        "message": translate(view.message) if view.message else "",
        "can_cancel": not view.finished and known_client_id() == view.client_id,
    }
