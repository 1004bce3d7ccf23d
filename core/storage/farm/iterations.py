"""The thresholds of a search as one short text of a row: they are read and written with it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tilework.core.model.solves import Iteration


def write_iterations(iterations: Sequence[Iteration]) -> str | None:
    """Return iterations as JSON, None where there are none."""
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
