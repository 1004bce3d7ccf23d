"""Translated texts of the pages of all shortest solutions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tilework.core.formats.solutions import SolutionGraph
from tilework.core.model.tasks import ShortestPathsSpec, Task
from tilework.core.services.tasks.questions import MAX_DRAWN
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.texts import (
    board_texts,
    format_move_count,
    format_slide_count,
    playback_texts,
)

_MAX_NAMED_LEVELS = 12
"""Levels with a single board that are listed individually."""


def shortest_paths_title(spec: ShortestPathsSpec) -> str:
    return _("All shortest solutions of a %(size)s board", size=spec.start.size)


def format_verdict(view: Task[ShortestPathsSpec]) -> str:
    result = view.result
    if result is None:
        return ""
    count = result["count"]
    if count is None:
        return " ".join([_describe_known_solution(result), _describe_limit(result["stopped_by"])])
    if not result["length"]:
        return _("The board is already solved.")
    moves = format_move_count(result["length"])
    if count == 1:
        return _("One shortest solution, of %(moves)s.", moves=moves)
    return ngettext(
        "%(count)s shortest solution of %(moves)s.",
        "%(count)s shortest solutions of %(moves)s each.",
        count,
        count=format_decimal(count),
        moves=moves,
    )


def describe_fewest_slides(view: Task[ShortestPathsSpec]) -> str:
    fewest = (view.result or {}).get("fewest_slides")
    if fewest is None:
        return ""
    if fewest["slides"] is None:
        return _(
            "Every solution has at least %(slides)s.",
            slides=format_slide_count(fewest["lower_bound"]),
        )
    if fewest["optimal"]:
        return ngettext(
            "%(slides)s, proven optimal",
            "%(slides)s, proven optimal",
            fewest["slides"],
            slides=format_slide_count(fewest["slides"]),
        )
    return _(
        "At most %(slides)s, at least %(least)s.",
        slides=format_slide_count(fewest["slides"]),
        least=format_decimal(fewest["lower_bound"]),
    )


def describe_graph(graph: SolutionGraph) -> str:
    """Describe the graph: its size, its widest level, and the boards that all solutions share."""
    layers = Counter(graph.depths)
    widest = max(layers, key=lambda depth: layers[depth])
    boards = ngettext(
        "They pass through %(boards)s board.",
        "They pass through %(boards)s boards.",
        len(graph.boards),
        boards=format_decimal(len(graph.boards)),
    )
    if layers[widest] == 1:
        return str(boards)
    widest_text = _(
        "The widest level, after %(moves)s, has %(boards)s boards.",
        boards=format_decimal(layers[widest]),
        moves=format_move_count(widest),
    )
    last = graph.depths[-1]
    shared_depths = [depth for depth in range(1, last) if layers[depth] == 1]
    if not shared_depths:
        return f"{boards} {widest_text}"
    levels = ", ".join(format_decimal(depth) for depth in shared_depths[:_MAX_NAMED_LEVELS])
    places = levels if len(shared_depths) <= _MAX_NAMED_LEVELS else f"{levels}, …"
    shared_text = ngettext(
        "All solutions share one board after %(places)s move.",
        "All solutions share one board after %(places)s moves.",
        shared_depths[-1],
        places=places,
    )
    return f"{boards} {widest_text} {shared_text}"


def explain_missing_graph(result: dict[str, Any]) -> str:
    if result.get("count") is None or result["drawn"]:
        return ""
    return _(
        "They pass through %(boards)s boards, too many to draw (the limit is %(most)s).",
        boards=format_decimal(result["boards"]),
        most=format_decimal(MAX_DRAWN),
    )


def script_texts() -> dict[str, str | dict[str, str]]:
    return {
        **board_texts(),
        **playback_texts(),
        "lost": _(
            "Connection lost. Retrying in {seconds} s; the search continues in the meantime."
        ),
        "waiting": _("Waiting for a worker"),
        "finding": _("Searching for the first shortest solution: at least {lower} moves"),
        "layers": _("Level {depth} of {length} searched"),
        "ended": _("Search finished."),
        "shown": _("Solution {number}"),
        "shown_turns": _("The optimal solution with the fewest slides"),
        "shown_slides": _("A solution with the fewest slides"),
        "shown_through": _("A solution through the selected board"),
        "node": _(
            "Board {position} of {boards} after {depth} moves, in {through} of {count} solutions."
        ),
    }


def _describe_known_solution(result: dict[str, Any]) -> str:
    if result["length"] is not None:
        return _(
            "A shortest solution has %(moves)s; the number of solutions is unknown.",
            moves=format_move_count(result["length"]),
        )
    return _(
        "Every solution has at least %(moves)s.", moves=format_move_count(result["lower_bound"])
    )


def _describe_limit(stopped_by: str | None) -> str:
    if stopped_by == "memory":
        return _("The memory limit was reached before all were found.")
    return _("The time limit was reached before all were found.")
