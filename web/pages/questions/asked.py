"""What the pages of games and of ways share: how a question stands, and those asked before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tilework.core.model.questions import AnalysisView, S, Spec
from tilework.core.model.states import RunState
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.web.clients import known_client_id
from tilework.web.i18n import say
from tilework.web.pages.forms import goal_words, plain_goal, plain_tiles

_RECENT: Final = 8


class Asked(NamedTuple):
    address: str
    title: str
    state: RunState
    state_name: str


def asked_before(
    reader: ReadAnalyses[S],
    address: Callable[[str], str],
    title: Callable[[S], str],
    state_names: Mapping[RunState, str],
) -> list[Asked]:
    client_id = known_client_id()
    views = reader.of_client(client_id, _RECENT) if client_id else []
    return [
        Asked(address(view.id), title(view.spec), view.state, state_names[view.state])
        for view in views
    ]


def standing(view: AnalysisView[Any]) -> dict[str, Any]:
    spec: Spec = view.spec
    return {
        "question": view,
        "asked": goal_words(spec.goal),
        "size": str(spec.start.size),
        "tiles": plain_tiles(spec.start),
        "goal_tiles": plain_goal(spec.goal),
        "message": say(view.message) if view.message else "",
        "may_cancel": not view.finished and known_client_id() == view.client_id,
    }
