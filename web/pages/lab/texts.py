"""Translated texts of the lab: algorithms, heuristics, methods and comparisons."""

from __future__ import annotations

from typing import NamedTuple

from tilework.core.lab.methods import ALGORITHMS, HEURISTICS, LabAlgorithm, LabHeuristic, Method
from tilework.core.lab.pseudocode import PSEUDOCODE, Moment
from tilework.core.model.comparisons import ComparedRun, Comparison
from tilework.core.model.states import RunState
from tilework.core.search.limits import StopReason
from tilework.web.i18n import format_decimal, ngettext, translate, translate_text
from tilework.web.i18n import gettext as _
from tilework.web.limits import MEBIBYTE


class PseudocodeLine(NamedTuple):
    words: str
    depth: int
    moments: tuple[Moment, ...]


# Two weights can differ in any digit, so all digits are shown.
_ALL_DIGITS = "#,##0.################"


def algorithm_names() -> dict[LabAlgorithm, str]:
    return {name: translate_text(facts.title) for name, facts in ALGORITHMS.items()}


def algorithm_families() -> list[tuple[str, list[LabAlgorithm]]]:
    """Return the algorithms by family, with the name of each family."""
    families = {
        _("Best-first search: A* and variants"): ("a-star", "weighted-a", "greedy", "uniform"),
        _("Breadth-first search and beam search"): ("breadth", "bidirectional", "beam"),
        _("Depth-first search"): ("depth", "backtracking"),
        _("Iterative deepening: IDA* and variants"): ("ida", "iterative"),
    }
    return [
        (name, [algorithm for algorithm in LabAlgorithm if algorithm.startswith(prefixes)])
        for name, prefixes in families.items()
    ]


def heuristic_names() -> dict[LabHeuristic, str]:
    return {name: translate_text(facts.title) for name, facts in HEURISTICS.items()}


def method_title(method: Method) -> str:
    """Return the name of a method, as in ``Weighted A* · Manhattan · 2``."""
    parts = [translate_text(ALGORITHMS[method.algorithm].title)]
    if method.heuristic is not None:
        parts.append(translate_text(HEURISTICS[method.heuristic].title))
    for number in (method.weight, method.width):
        if number is not None:
            parts.append(format_decimal(number, _ALL_DIGITS))
    return " · ".join(parts)


def code_lines(algorithm: LabAlgorithm) -> list[PseudocodeLine]:
    return [
        PseudocodeLine(translate_text(line.words), line.depth, line.moments)
        for line in PSEUDOCODE[algorithm]
    ]


def comparison_title(view: Comparison) -> str:
    count = len(view.methods)
    methods = ngettext("%(count)s method", "%(count)s methods", count, count=count)
    size = str(view.goal.size)
    if view.sweep is None:
        return _("%(methods)s on a %(size)s board", methods=methods, size=size)
    boards = ngettext(
        "%(count)s board", "%(count)s boards", view.sweep.boards, count=view.sweep.boards
    )
    return _(
        "%(methods)s on %(boards)s of size %(size)s", methods=methods, boards=boards, size=size
    )


def describe_limits(view: Comparison) -> str:
    limits = view.limits
    return _(
        "limits per run: %(seconds)s s, %(nodes)s generated nodes, %(memory)s MB",
        seconds=format_decimal(limits.seconds),
        nodes=format_decimal(limits.nodes),
        memory=format_decimal((limits.memory_bytes or 0) // MEBIBYTE),
    )


def stop_reason_names() -> dict[StopReason, str]:
    return {
        StopReason.TIME: _("time limit"),
        StopReason.NODES: _("node limit"),
        StopReason.MEMORY: _("memory limit"),
        StopReason.DEPTH: _("too deep"),
        StopReason.CANCELLED: _("cancelled"),
    }


def metric_names() -> dict[str, str]:
    """Return the titles of the metrics that charts can show, by their names in the API."""
    return {
        "generated": _("Nodes generated"),
        "visited": _("Nodes visited"),
        "max_frontier": _("Largest frontier"),
        "duplicates": _("Duplicates"),
        "branching": _("Effective branching factor"),
        "memory_bytes": _("Memory"),
        "seconds": _("Time"),
        "length": _("Solution length"),
    }


def statistic_names() -> dict[str, str]:
    """Return the titles of a run's statistics, by their names in the API."""
    return {
        "expanded": _("Expanded"),
        "generated": _("Generated"),
        "visited": _("Visited"),
        "max_frontier": _("Largest frontier"),
        "duplicates": _("Duplicates"),
        "depth": _("Depth"),
        "branching": _("Branching"),
        "seconds": _("Time"),
        "memory_bytes": _("Memory"),
    }


def run_note(run: ComparedRun) -> str:
    """Return why a run ended, unless the name of the limit says it already."""
    if run.message is None or run.stopped_by not in (None, StopReason.DEPTH):
        return ""
    return translate(run.message)


def describe_ending(run: ComparedRun) -> tuple[str, str]:
    """Return the style of a run's ending, named after a job's state, and its name."""
    if run.state is RunState.QUEUED:
        return "queued", _("waiting")
    if run.state is RunState.RUNNING:
        return "running", _("searching")
    if run.state is RunState.FAILED:
        return "failed", _("failed")
    if run.state is RunState.CANCELLED:
        return "cancelled", _("cancelled")
    if run.length is not None:
        return ("optimal" if run.optimal else "bounded"), _("solved")
    if run.stopped_by is not None:
        return "expired", stop_reason_names()[run.stopped_by]
    return "expired", _("none found")
