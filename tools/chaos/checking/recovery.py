"""How long work stood still after a kill, and how much of it was lost."""

from __future__ import annotations

from bisect import bisect_right
from math import ceil
from typing import Final

from tools.chaos.load.history import History
from tools.chaos.system.database import Records

_WORKED: Final = (
    "SELECT finished_at FROM job WHERE finished_at IS NOT NULL AND NOT cached "
    "AND state IN ('optimal', 'bounded') "
    "UNION ALL SELECT time FROM bound_event "
    "UNION ALL SELECT updated_at FROM slice WHERE state = 'done'"
)
"""Times at which work was stored."""

_WAITED: Final = "SELECT created_at, finished_at FROM job WHERE NOT cached"


def standstills(records: Records, history: History) -> list[float]:
    """Return for each kill how long it took until work was stored again (seconds).

    Where nobody waited for anything, the clock begins with the next job.
    """
    worked = sorted(row[0] for row in records.rows(_WORKED))
    waited = records.rows(_WAITED)
    found = []
    for kill in history.kills:
        begin = min(
            (max(kill.at, row[0]) for row in waited if row[1] is None or row[1] > kill.at),
            default=None,
        )
        after = bisect_right(worked, begin) if begin is not None else len(worked)
        if begin is not None and after < len(worked):
            found.append(worked[after] - begin)
    return found


def lost_share(records: Records, history: History) -> float:
    """Return how much of all search was under way at kills and had to be done again (percent)."""
    stored = records.rows(
        "SELECT coalesce(sum(seconds), 0) FROM slice WHERE kind = 'search' AND state = 'done'"
    )[0][0]
    lost = sum(kill.lost_s for kill in history.kills)
    return 100.0 * lost / (lost + stored) if lost else 0.0


def percentile(values: list[float], percent: float) -> float:
    """Return the least value that so many percent do not exceed."""
    ranked = sorted(values)
    return ranked[max(0, ceil(len(ranked) * percent / 100) - 1)] if ranked else 0.0
