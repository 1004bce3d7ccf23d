"""Sentences of the two pages of comparisons, and for their modules.

Names in braces are filled in by the module.
"""

from __future__ import annotations

from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _

from tilework.core.model.comparison_views import ComparisonView
from tilework.core.search.limits import StopReason
from tilework.web.pages.lab.words import method_title
from tilework.web.pages.words import board_words

_MEBIBYTE = 2**20
RUNNING, FINISHED, CANCELLED = "running", "finished", "cancelled"


def comparison_state(view: ComparisonView) -> str:
    """Which of the states that `comparison_states` names a comparison is in."""
    if not view.finished:
        return RUNNING
    return CANCELLED if view.cancelled else FINISHED


def comparison_states() -> dict[str, str]:
    """The names of a comparison's states."""
    return {RUNNING: _("searching"), FINISHED: _("finished"), CANCELLED: _("cancelled")}


def comparison_title(view: ComparisonView) -> str:
    """How many methods, on what."""
    count = len(view.methods)
    methods = ngettext("%(count)s method", "%(count)s methods", count, count=count)
    size = str(view.goal.size)
    if view.sweep is None:
        return str(_("%(methods)s on a board of %(size)s", methods=methods, size=size))
    boards = ngettext(
        "%(count)s board", "%(count)s boards", view.sweep.boards, count=view.sweep.boards
    )
    return str(
        _("%(methods)s on %(boards)s of %(size)s", methods=methods, boards=boards, size=size)
    )


def limit_words(view: ComparisonView) -> str:
    """What ends each run."""
    limits = view.limits
    return str(
        _(
            "each run ends at %(seconds)s s, %(nodes)s generated nodes or %(memory)s MB",
            seconds=format_decimal(limits.seconds),
            nodes=format_decimal(limits.nodes),
            memory=format_decimal((limits.memory_bytes or 0) // _MEBIBYTE),
        )
    )


def ending_words() -> dict[StopReason, str]:
    """What stopped a run early."""
    return {
        StopReason.TIME: _("time limit"),
        StopReason.NODES: _("node limit"),
        StopReason.MEMORY: _("memory limit"),
        StopReason.DEPTH: _("too deep"),
        StopReason.CANCELLED: _("cancelled"),
    }


def metric_names() -> dict[str, str]:
    """What a chart may show of the runs, by the names that the API has for it."""
    return {
        "generated": _("Nodes generated"),
        "visited": _("Nodes visited"),
        "max_frontier": _("Largest frontier"),
        "duplicates": _("Duplicates"),
        "branching": _("Effective branching"),
        "memory_bytes": _("Memory"),
        "seconds": _("Time"),
        "length": _("Length of the solution"),
    }


def compare_words() -> dict[str, str]:
    """Sentences of the form's module."""
    return board_words() | {
        "cell": _("{tile}, row {row}, column {column}"),
        "held": _("Tile {tile} is taken: choose the one to exchange it with."),
        "no_scramble": _("No board could be scrambled: {reason}"),
        "compare_none": _("Choose at least one method"),
        "compare_one": _("Run 1 method"),
        "compare_many": _("Compare {count} methods"),
    }


def comparison_words(view: ComparisonView) -> dict[str, str | dict[str, str]]:
    """Sentences of the module of a comparison's page."""
    return {
        "methods": {method.text: method_title(method) for method in view.methods},
        "lost": _(
            "The connection is lost. Trying again in {seconds} s; the runs go on without this page."
        ),
        "progress": _("{ended} of {total} runs have ended"),
        "metrics": metric_names(),
        "milliseconds": _("{count} ms"),
        "seconds": _("{count} s"),
        "kilobytes": _("{count} kB"),
        "megabytes": _("{count} MB"),
        "extremes": _("{title}: from {least} ({first}) to {most} ({last})."),
        "depth": _("Moves of the shortest solution"),
        "by_depth": _("{metric} by depth"),
        "sweep": _(
            "{metric}: {boards} boards of {least} to {most} moves; medians at {most} moves: {list}."
        ),
        "at": _("{method} {count}"),
        "not_drawn": _("The picture could not be made: {reason}"),
    }
