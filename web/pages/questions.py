"""What the pages of games and of ways share: how a question stands, and those asked before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tilework.core.model.questions import AnalysisView, S, Spec
from tilework.core.model.states import RunState
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.web.clients import known_client_id
from tilework.web.i18n import say
from tilework.web.pages.board_words import goal_words, plain_goal, plain_tiles

_RECENT: Final = 8


@dataclass(frozen=True)
class Asked:
    """A question of this visitor's, as his list has it."""

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
    """Return what this visitor has asked for last, of one kind.

    Parameters
    ----------
    address : callable
        Of a question's page, by its id.
    """
    client_id = known_client_id()
    views = reader.of_client(client_id, _RECENT) if client_id else []
    return [
        Asked(address(view.id), title(view.spec), view.state, state_names[view.state])
        for view in views
    ]


def standing(view: AnalysisView[Any]) -> dict[str, Any]:
    """Return what the page of any question has: its board, and whether it may be cancelled."""
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
