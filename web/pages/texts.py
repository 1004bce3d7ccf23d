"""Translated texts of several pages, and of their scripts."""

from __future__ import annotations

from typing import NamedTuple

from tilework.core.model.job_options import Metric
from tilework.core.model.jobs import JobView
from tilework.core.model.states import JobState, Queue, RunState
from tilework.web.assets import list_texts
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _


class Verdict(NamedTuple):
    """A job's verdict in three parts; the page shows the answer in larger type."""

    before: str
    answer: str
    after: str


def make_verdict(job: JobView) -> Verdict:
    lower, upper = job.lower_bound, job.upper_bound
    patterns = verdict_patterns()
    if upper == 0:
        return Verdict("", patterns["solved"], "")
    if upper is None:
        pattern = patterns["ended" if job.finished else "open"]
        answer, separator, after = pattern.format(
            moves=format_length(lower, job.options.metric)
        ).partition(SEPARATOR)
        return Verdict("", answer, separator + after)
    pattern = patterns["shortest" if upper == lower else "best"]
    before, _moves, after = pattern.partition("{moves}")
    answer = format_length(upper, job.options.metric)
    return Verdict(before, answer, after.format(lower=format_decimal(lower)))


SEPARATOR = " · "


def format_verdict(job: JobView) -> str:
    return "".join(make_verdict(job))


def verdict_patterns() -> dict[str, str]:
    """Return patterns in which ``{moves}`` is a number with its noun and ``{lower}`` a number."""
    return {
        "solved": _("Already solved"),
        "shortest": _("{moves} — proven optimal"),
        "best": _("Best: {moves} · optimal: at least {lower}"),
        "open": _("No solution yet · at least {moves}"),
        "ended": _("No solution found · at least {moves}"),
    }


def format_length(length: int, metric: Metric = Metric.MOVES) -> str:
    """Format a length with its noun; as in the scripts, only 1 has the singular."""
    number = 1 if length == 1 else 2
    if metric is Metric.SLIDES:
        pattern = ngettext("{count} slide", "{count} slides", number)
    else:
        pattern = ngettext("{count} move", "{count} moves", number)
    return pattern.format(count=format_decimal(length))


def state_names() -> dict[str, str]:
    """Return the names of the states of jobs, tasks, batches and comparisons."""
    return {
        JobState.QUEUED: _("waiting"),
        JobState.RUNNING: _("searching"),
        JobState.OPTIMAL: _("optimal"),
        JobState.BOUNDED: _("solution found"),
        JobState.CANCELLED: _("cancelled"),
        JobState.EXPIRED: _("time limit reached"),
        JobState.FAILED: _("failed"),
        RunState.DONE: _("finished"),
        "finished": _("finished"),
    }


def queue_names() -> dict[str, str]:
    return {
        Queue.INTERACTIVE: _("Initial searches"),
        Queue.QUICK_ANALYSIS: _("Quick analyses"),
        Queue.BATCH: _("Batches"),
        Queue.ANALYSIS: _("Analyses"),
        Queue.LAB: _("Lab"),
        Queue.SEARCH: _("Long searches"),
    }


def script_texts(script: str) -> dict[str, str]:
    """Return the translations of the texts in a script, by the English ones."""
    texts = {}
    for text, plural in list_texts(f"js/{script}.js"):
        if plural:
            texts[text], texts[plural] = (ngettext(text, plural, number) for number in (1, 2))
        else:
            texts[text] = _(text)
    return {english: text for english, text in texts.items() if text != english}
