"""How far a solve's improving has come as one short text of its row: read and written with it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tilework.core.model.improvement import NOTHING_TRIED, Improvement, Pay, UnderWay
from tilework.core.solver.trial import Trial, TrialKind


def write_improvement(state: Improvement) -> str | None:
    """Return a state as JSON, None where nothing was tried."""
    if state == NOTHING_TRIED:
        return None
    return json.dumps(asdict(state), separators=(",", ":"))


def read_improvement(text: str | None) -> Improvement:
    """Read what `write_improvement` wrote."""
    if text is None:
        return NOTHING_TRIED
    values: dict[str, Any] = json.loads(text)
    pays = tuple((name, Pay(**pay)) for name, pay in values.pop("pays"))
    under_way = tuple(
        UnderWay(one["slice_id"], _trial(one["trial"]), one["first"], one["count"])
        for one in values.pop("under_way")
    )
    return Improvement(**values, pays=pays, under_way=under_way)


def _trial(values: dict[str, Any]) -> Trial:
    return Trial(**values | {"kind": TrialKind(values["kind"])})
