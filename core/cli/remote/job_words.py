"""A server's job in the words of a terminal: a summary, its fields, a line while it is searched."""

from __future__ import annotations

import math
from typing import Any

from core.cli.progress_line import bounds, clock, count

_FIELDS = (
    "id",
    "state",
    "width",
    "height",
    "target",
    "lower_bound",
    "upper_bound",
    "gap",
    "threshold",
    "progress",
    "nodes",
    "nodes_per_s",
    "time_left",
    "threshold_time_left",
    "engine",
    "building",
    "queue",
    "queue_position",
    "message",
)

# Thresholds go up by two.
_STEP = 2

# The seconds of each unit, and those up to which it serves.
_UNITS = (
    ("s", 1.0, 90.0),
    ("min", 60.0, 5_400.0),
    ("h", 3_600.0, 129_600.0),
    ("days", 86_400.0, 60_480_000.0),
    ("years", 31_557_600.0, math.inf),
)


def summary(job: dict[str, Any]) -> str:
    """Write a job's state and bounds."""
    lower, upper = job["lower_bound"], job["upper_bound"]
    if upper is None:
        known = f"at least {lower} moves"
    elif upper == 0:
        known = "the board is already solved, 0 moves"
    else:
        known = f"{upper} moves" if lower == upper else f"{lower} to {upper} moves"
    return f"{job['state']}: {known}"


def fields(job: dict[str, Any]) -> dict[str, str]:
    """Write by name whatever is known of a job."""
    building = job.get("building")
    written = job | {
        "time_left": time_left(job),
        "threshold_time_left": time_left(job, "threshold_"),
        "building": building and f"{building['partition']}, {building['share']:.0%}",
    }
    return {name: cell(written[name]) for name in _FIELDS if written.get(name) is not None}


def cell(value: object) -> str:
    """Write a value of JSON so that it fits a table."""
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def line(job: dict[str, Any], waited_s: float) -> str:
    """Write bounds, share of the threshold, nodes, rate and time left as one short line."""
    parts = [bounds(job["lower_bound"], job["upper_bound"])]
    if job.get("threshold") is not None:
        parts.append(f"{job['progress']:.1%} of {job['threshold']} moves")
    parts.append(f"{count(job['nodes'])} nodes")
    parts.append(f"{count(job['nodes_per_s'])} nodes/s")
    if (left := time_left(job)) is not None:
        parts.append(f"{left} left")
    if (left := time_left(job, "threshold_")) is not None and not _at_last_threshold(job):
        parts.append(f"this threshold: {left}")
    return "   ".join([*parts, clock(waited_s)])


def time_left(job: dict[str, Any], part: str = "") -> str | None:
    """Write the estimate of the time to the proof with its error: ``4 min (2–9 min)``.

    With ``threshold_`` for ``part``, of the time to the end of the present threshold.
    """
    seconds, factor = job.get(f"{part}seconds_left"), job.get(f"{part}seconds_left_factor")
    if seconds is None or factor is None:
        return None
    number, unit = _rough(seconds)
    (least, least_unit), (most, most_unit) = _rough(seconds / factor), _rough(seconds * factor)
    low = f"{least}–" if least_unit == most_unit else f"{least} {least_unit} – "
    return f"{number} {unit} ({low}{most} {most_unit})"


def _at_last_threshold(job: dict[str, Any]) -> bool:
    """Whether the time left is that of the present threshold: its end proves the optimum."""
    upper = job["upper_bound"]
    return job.get("seconds_left") is not None and job["threshold"] + _STEP >= upper


def _rough(seconds: float) -> tuple[int, str]:
    """Return a time as a number and its unit, no finer than an estimate deserves."""
    unit, length, _ = next(unit for unit in _UNITS if seconds < unit[2])
    number = seconds / length
    step = 1 if number < 10 else 5 if number < 100 else 10 ** (int(math.log10(number)) - 1)
    return max(1, round(number / step) * step), unit
