"""Sentences of the pages of all shortest solutions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _

from tilework.core.formats.ways_graph import WaysGraph
from tilework.core.model.questions import AnalysisView, WaysSpec
from tilework.core.model.states import RunState
from tilework.core.services.analyses.vocabulary import MOST_DRAWN
from tilework.web.pages.words import board_words

_MOST_NARROWS = 12
"""Places through which all solutions go that are named one by one."""


def state_words() -> dict[RunState, str]:
    """The names of a search's states."""
    return {
        RunState.QUEUED: _("waiting"),
        RunState.RUNNING: _("searching"),
        RunState.DONE: _("searched"),
        RunState.FAILED: _("failed"),
        RunState.CANCELLED: _("cancelled"),
    }


def ways_title(spec: WaysSpec) -> str:
    """What is asked for, as a title."""
    return str(_("All shortest solutions of a %(size)s board", size=spec.start.size))


def verdict_words(view: AnalysisView[WaysSpec]) -> str:
    """How many there are, in a sentence or two; empty until that is known."""
    result = view.result
    if result is None:
        return ""
    count = result["count"]
    if count is None:
        return " ".join([_known(result), _limit(result["stopped_by"])])
    if not result["length"]:
        return str(_("The board is solved already."))
    moves = _moves(result["length"])
    if count == 1:
        return str(_("One solution of %(moves)s, and no other is as short.", moves=moves))
    return str(
        ngettext(
            "%(count)s shortest solution of %(moves)s.",
            "%(count)s shortest solutions of %(moves)s.",
            count,
            count=format_decimal(count),
            moves=moves,
        )
    )


def slides_words(view: AnalysisView[WaysSpec]) -> str:
    """How few slides are enough; empty where nothing is known."""
    found = (view.result or {}).get("fewest_slides")
    if found is None:
        return ""
    if found["slides"] is None:
        return str(
            _("No solution has fewer than %(slides)s.", slides=_slides(found["lower_bound"]))
        )
    if found["optimal"]:
        return str(
            ngettext(
                "%(slides)s is enough, none fewer.",
                "%(slides)s are enough, none fewer.",
                found["slides"],
                slides=_slides(found["slides"]),
            )
        )
    return str(
        _(
            "%(slides)s are enough; that %(least)s are needed is proved.",
            slides=_slides(found["slides"]),
            least=format_decimal(found["lower_bound"]),
        )
    )


def graph_words(graph: WaysGraph) -> str:
    """The graph in words: how large it is, where it is widest, and what no solution misses."""
    layers = Counter(graph.depths)
    widest = max(layers, key=lambda depth: layers[depth])
    boards = ngettext(
        "%(boards)s board lies on them.",
        "%(boards)s boards lie on them.",
        len(graph.boards),
        boards=format_decimal(len(graph.boards)),
    )
    if layers[widest] == 1:
        return str(boards)
    wide = _(
        "Most of them, %(boards)s, after %(moves)s.",
        boards=format_decimal(layers[widest]),
        moves=_moves(widest),
    )
    last = graph.depths[-1]
    narrow = [depth for depth in range(1, last) if layers[depth] == 1]
    if not narrow:
        return f"{boards} {wide}"
    named = ", ".join(format_decimal(depth) for depth in narrow[:_MOST_NARROWS])
    places = named if len(narrow) <= _MOST_NARROWS else f"{named}, …"
    all_meet = ngettext(
        "All solutions meet on one board after %(places)s move.",
        "All solutions meet on one board after %(places)s moves.",
        narrow[-1],
        places=places,
    )
    return f"{boards} {wide} {all_meet}"


def undrawn_words(result: dict[str, Any]) -> str:
    """Why no graph is drawn, where there could be one."""
    if result.get("count") is None or result["drawn"]:
        return ""
    return str(
        _(
            "%(boards)s boards lie on them: too many to be drawn, which is done up to %(most)s.",
            boards=format_decimal(result["boards"]),
            most=format_decimal(MOST_DRAWN),
        )
    )


def script_words() -> dict[str, str | dict[str, str]]:
    """Sentences of the page's module."""
    return board_words() | {
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{speed} moves/s"),
        "move_of": _("Move {move} of {moves}"),
        "lost": _(
            "The connection is lost. Trying again in {seconds} s; the search goes on without this "
            "page."
        ),
        "waiting": _("Waiting for a worker"),
        "finding": _("Looking for one shortest solution: it has at least {lower} moves"),
        "layers": _("{depth} of {length} moves from the board are searched"),
        "ended": _("The search has ended."),
        "shown": _("Solution {number}"),
        "shown_turns": _("The one with the fewest turns"),
        "shown_slides": _("A solution of the fewest slides"),
        "shown_through": _("A solution through the chosen board"),
        "node": _(
            "After {depth} moves, board {place} of {boards}: {through} of {count} solutions go "
            "through it."
        ),
    }


def _known(result: dict[str, Any]) -> str:
    if result["length"] is not None:
        return str(
            _(
                "A shortest solution has %(moves)s; how many there are is not known.",
                moves=_moves(result["length"]),
            )
        )
    return str(_("No solution has fewer than %(moves)s.", moves=_moves(result["lower_bound"])))


def _limit(stopped_by: str | None) -> str:
    if stopped_by == "memory":
        return str(_("There are too many boards to be kept in the memory that is allowed."))
    return str(_("The time that is allowed was over before they were all found."))


def _moves(count: int) -> str:
    return str(ngettext("%(moves)s move", "%(moves)s moves", count, moves=format_decimal(count)))


def _slides(count: int) -> str:
    return str(
        ngettext("%(slides)s slide", "%(slides)s slides", count, slides=format_decimal(count))
    )
