"""Conversion between rows of the ``solve`` table and `Solve`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from tilework.core.model.farm.improvement import NO_TRIALS, Improvement, TrialStatistics, UnderWay
from tilework.core.model.farm.solves import Iteration, SearchConfig, Solve
from tilework.core.model.states import SolveState
from tilework.core.puzzle.board import Size
from tilework.core.solver.trial import Trial, TrialKind
from tilework.core.storage.damage.seals import SOLVE, check_solve

_PLAIN = (
    "lower_bound",
    "upper_bound",
    "state",
    "threshold",
    "next_threshold",
    "covered",
    "epoch",
    "nodes",
    "seconds",
    "client_id",
    "engine",
    "wall_s",
    "recent_nodes",
    "recent_s",
    "rate_at",
    "pending",
)
_plain_of = attrgetter(*_PLAIN)
SAVED = (*_PLAIN, "iterations", "tried", "improvement")
"""Columns that are written back."""


def read_solve(row: Sequence[Any]) -> Solve:
    """Read values of `SOLVE_COLUMNS`.

    Raises DamagedRowError if they are damaged.
    """
    check_solve(row)
    id_, key, width, height, lower, upper, state, *rest, iterations, tried, improvement, _ = row
    texts = (
        () if iterations is None else read_iterations(iterations),
        frozenset(map(SearchConfig.parse, tried.split())),
        NO_TRIALS if improvement is None else read_improvement(improvement),
    )
    facts = (id_, key, Size(width, height), lower, upper, SolveState(state), *rest, *texts)
    return Solve(*facts)


def write_solve(record: Solve) -> dict[str, object]:
    """Return the values that are written back."""
    improvement = record.improvement
    values: dict[str, object] = dict(zip(_PLAIN, _plain_of(record), strict=True))
    values |= {
        "iterations": write_iterations(record.iterations) if record.iterations else None,
        "tried": " ".join(sorted(map(str, record.tried))),
        "improvement": None if improvement == NO_TRIALS else write_improvement(improvement),
    }
    size = record.size
    own = {"id": record.id, "key": record.key, "width": size.width, "height": size.height}
    return values | {"seal": SOLVE.of_values(values | own)}


def write_iterations(iterations: Sequence[Iteration]) -> str | None:
    if not iterations:
        return None
    rows = [
        [
            one.threshold,
            one.nodes,
            round(one.seconds, 3),
            [[nodes, round(covered, 5)] for nodes, covered in one.marks],
        ]
        for one in iterations
    ]
    return json.dumps(rows, separators=(",", ":"))


def read_iterations(text: str | None) -> tuple[Iteration, ...]:
    """Read what `write_iterations` wrote."""
    if text is None:
        return ()
    return tuple(
        Iteration(threshold, nodes, seconds, tuple((nodes, covered) for nodes, covered in marks))
        for threshold, nodes, seconds, marks in json.loads(text)
    )


# Stored names of those fields of `Improvement` that were renamed.
_STORED_NAMES = {"failed_moves": "dry", "failures": "troubles", "statistics": "pays"}
_FIELD_NAMES = {stored: name for name, stored in _STORED_NAMES.items()}


def write_improvement(state: Improvement) -> str | None:
    """Return a state as JSON; None if there were no trials."""
    if state == NO_TRIALS:
        return None
    values = {_STORED_NAMES.get(name, name): value for name, value in asdict(state).items()}
    return json.dumps(values, separators=(",", ":"))


def read_improvement(text: str | None) -> Improvement:
    """Read what `write_improvement` wrote."""
    if text is None:
        return NO_TRIALS
    stored: dict[str, Any] = json.loads(text)
    values = {_FIELD_NAMES.get(name, name): value for name, value in stored.items()}
    statistics = tuple((name, TrialStatistics(**pay)) for name, pay in values.pop("statistics"))
    under_way = tuple(
        UnderWay(one["slice_id"], _trial(one["trial"]), one["first"], one["count"])
        for one in values.pop("under_way")
    )
    return Improvement(**values, statistics=statistics, under_way=under_way)


def _trial(values: dict[str, Any]) -> Trial:
    return Trial(**values | {"kind": TrialKind(values["kind"])})
