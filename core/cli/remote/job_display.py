"""Describes a job: a summary, its fields, and a progress line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tilework.core.cli.language import gettext, gettext_noop, translate
from tilework.core.cli.messages import already_solved, between
from tilework.core.cli.terminal import (
    format_bounds,
    format_count,
    format_duration,
    format_effort,
    format_gap,
    format_ratio,
)
from tilework.core.messages import Message
from tilework.core.model.states import JobState
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.phrases import moves

_FIELDS = {
    "id": gettext_noop("id"),
    "state": gettext_noop("state"),
    "width": gettext_noop("width"),
    "height": gettext_noop("height"),
    "metric": gettext_noop("metric"),
    "target": gettext_noop("target"),
    "lower_bound": gettext_noop("lower_bound"),
    "upper_bound": gettext_noop("upper_bound"),
    "gap": gettext_noop("gap"),
    "threshold": gettext_noop("threshold"),
    "progress": gettext_noop("progress"),
    "nodes": gettext_noop("nodes"),
    "nodes_per_s": gettext_noop("nodes_per_s"),
    "time_left": gettext_noop("time_left"),
    "threshold_time_left": gettext_noop("threshold_time_left"),
    "engine": gettext_noop("engine"),
    "building": gettext_noop("building"),
    "queue": gettext_noop("queue"),
    "queue_position": gettext_noop("queue_position"),
    "message": gettext_noop("message"),
}

_STATES = {
    JobState.QUEUED: gettext_noop("queued"),
    JobState.RUNNING: gettext_noop("running"),
    JobState.OPTIMAL: gettext_noop("optimal"),
    JobState.BOUNDED: gettext_noop("bounded"),
    JobState.CANCELLED: gettext_noop("cancelled"),
    JobState.EXPIRED: gettext_noop("expired"),
    JobState.FAILED: gettext_noop("failed"),
}

_SLIDES = gettext_noop("slides")

# Numbers are formatted as in the progress line and in the notes of searches.
_FORMATS: dict[str, Callable[[float], str]] = {
    "gap": lambda gap: format_gap(1 + gap),
    "progress": lambda share: f"{share:.1%}",
    "nodes_per_s": format_count,
    "best_ratio": format_ratio,
    "mean_ratio": format_ratio,
}

# Thresholds increase by two.
_THRESHOLD_STEP = 2

# Each unit, its length in seconds, and the time up to which it is used.
_UNITS = (
    ("s", 1.0, 90.0),
    ("min", 60.0, 5_400.0),
    ("h", 3_600.0, 129_600.0),
    (gettext_noop("days"), 86_400.0, 60_480_000.0),
    (gettext_noop("years"), 31_557_600.0, math.inf),
)


def summarize(job: dict[str, Any]) -> Message:
    lower, upper = job["lower_bound"], job["upper_bound"]
    metric = _read_metric(job)
    if upper is None:
        bounds = Message("at-least", "at least {moves}", moves=metric.describe(lower))
    elif upper == 0:
        bounds = already_solved()
    elif lower == upper:
        bounds = metric.describe(upper)
    else:
        bounds = between(lower, upper, metric)
    return Message("job-summary", "{state}: {known}", state=state_name(job["state"]), known=bounds)


def _read_metric(job: dict[str, Any]) -> Metric:
    return Metric(job["options"]["metric"])


def state_name(state: str) -> str:
    """Translate a state; an unknown state of a newer server is returned unchanged."""
    return gettext(_STATES[JobState(state)]) if state in _STATES else state


def job_fields(job: dict[str, Any]) -> dict[str, str]:
    building = job.get("building")
    values = {
        **job["options"],
        **job,
        "metric": None if _read_metric(job) is Metric.MOVES else gettext(_SLIDES),
        "state": state_name(job["state"]),
        "time_left": format_time_left(job),
        "threshold_time_left": format_time_left(job, "threshold_"),
        "building": building and f"{building['partition']}, {building['fraction']:.0%}",
    }
    return {
        gettext(label): format_field(name, values[name])
        for name, label in _FIELDS.items()
        if values.get(name) is not None
    }


def format_field(name: str, value: Any) -> str:
    """Format the value of a JSON field for a table."""
    if value is None:
        return ""
    if name in _FORMATS:
        return _FORMATS[name](value)
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def describe_progress(job: dict[str, Any], waited_s: float) -> str:
    parts = [format_bounds(job["lower_bound"], job["upper_bound"])]
    if job.get("threshold") is None and (quality := _format_quality(job)) is not None:
        # A narrow terminal may cut off the last parts.
        return "   ".join(
            [
                *parts,
                quality,
                format_duration(waited_s),
                format_effort(job["nodes"], job["nodes_per_s"]),
            ]
        )
    if job.get("threshold") is not None:
        progress = Message(
            "share-of-threshold",
            "{share} of {moves}",
            share=_FORMATS["progress"](job["progress"]),
            moves=moves(job["threshold"]),
        )
        parts.append(translate(progress))
    parts.append(format_effort(job["nodes"], job["nodes_per_s"]))
    if (time := format_time_left(job)) is not None:
        parts.append(translate(Message("left", "{time} left", time=time)))
    if (time := format_time_left(job, "threshold_")) is not None and not _at_last_threshold(job):
        parts.append(translate(Message("threshold-left", "this threshold: {time}", time=time)))
    return "   ".join([*parts, format_duration(waited_s)])


def _format_quality(job: dict[str, Any]) -> str | None:
    """Format the gap of the best solution; None without a solution or a gap."""
    lower, upper = job["lower_bound"], job["upper_bound"]
    if upper is None or not 0 < lower < upper:
        return None
    return translate(
        Message(
            "bound-quality",
            "gap {gap}   {ratio} × lower bound",
            gap=format_gap(upper / lower),
            ratio=format_ratio(upper / lower),
        )
    )


def format_time_left(job: dict[str, Any], part: str = "") -> str | None:
    """Format the estimated time to the proof, or that of a `part` of it: ``4 min (2–9 min)``."""
    seconds, factor = job.get(f"{part}seconds_left"), job.get(f"{part}seconds_left_factor")
    if seconds is None or factor is None:
        return None
    number, unit = _round_time(seconds)
    lower, lower_unit = _round_time(seconds / factor)
    upper, upper_unit = _round_time(seconds * factor)
    start = f"{lower}–" if lower_unit == upper_unit else f"{lower} {lower_unit} – "
    return f"{number} {unit} ({start}{upper} {upper_unit})"


def _at_last_threshold(job: dict[str, Any]) -> bool:
    """Whether completing the current threshold proves the optimum."""
    upper = job["upper_bound"]
    return job.get("seconds_left") is not None and job["threshold"] + _THRESHOLD_STEP >= upper


def _round_time(seconds: float) -> tuple[int, str]:
    """Round a time to the precision of an estimate, and return it with its unit."""
    unit, length, _ = next(unit for unit in _UNITS if seconds < unit[2])
    number = seconds / length
    step = 1 if number < 10 else 5 if number < 100 else 10 ** (int(math.log10(number)) - 1)
    return max(1, round(number / step) * step), gettext(unit)
