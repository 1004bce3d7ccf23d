"""Translated texts of pages and their scripts. The scripts replace the placeholders in braces.

``web/static/js/job/formats.js`` formats a job's verdict in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

from tilework.core.model.job_options import Metric
from tilework.core.model.jobs import JobView
from tilework.core.model.states import JobState, Queue, RunState
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
    patterns = count_patterns(metric)
    return patterns["one" if length == 1 else "other"].format(count=format_decimal(length))


def count_patterns(metric: Metric = Metric.MOVES) -> dict[str, str]:
    """Return the patterns of the singular and the plural for the pages' scripts."""
    if metric is Metric.SLIDES:
        return {
            "one": ngettext("%(slides)s slide", "%(slides)s slides", 1, slides="{count}"),
            "other": ngettext("%(slides)s slide", "%(slides)s slides", 2, slides="{count}"),
        }
    return {
        "one": ngettext("%(moves)s move", "%(moves)s moves", 1, moves="{count}"),
        "other": ngettext("%(moves)s move", "%(moves)s moves", 2, moves="{count}"),
    }


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


def unit_texts() -> dict[str, str]:
    """Return the patterns of measured durations and of memory."""
    return {
        "milliseconds": _("{count} ms"),
        "seconds": _("{count} s"),
        "minutes": _("{minutes} min {seconds} s"),
        "hours": _("{hours} h {minutes} min"),
        "kilobytes": _("{count} kB"),
        "megabytes": _("{count} MB"),
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


def board_texts() -> dict[str, str]:
    return {
        "blank": _("blank"),
        "board_rows": _("{size} board, row by row: {rows}"),
        "board_home": _("{size} board: {home} of {tiles} tiles in place"),
    }


def home_texts() -> dict[str, str | dict[str, str]]:
    return {
        **board_texts(),
        "cell": _("{tile}, row {row}, column {column}"),
        "empty": _("empty"),
        "unfinished": _("Type the number of each tile. The last cell becomes the blank."),
        "no_file": _("{name} cannot be read: {reason}"),
        "game": _("Your {size}: {moves} so far"),
        "moves": count_patterns(),
        "first_move": _("Your first move: tile {tile}."),
        "first_move_made": _("Good! Now {moves} moves remain."),
        "solve_one": _("Solve"),
        "solve_several": _("Solve all {count}"),
        "no_picture": _("this browser cannot show the picture."),
        "picture_reading": _("Reading the picture…"),
        "review_cell": _("Row {row}, column {column}"),
        "review_uncertain_cell": _("Row {row}, column {column}, uncertain"),
        "review_uncertain": _("Uncertain tiles, marked in the picture: {count}."),
        "review_missing": _("Each number from 0 to {max} must appear once; missing: {missing}."),
        "review_all_certain": _("All tiles were read clearly; please check them anyway."),
        "no_scramble": _("Could not scramble: {reason}"),
        "too_large": _("{name} is larger than {limit} MB."),
    }


def certificate_texts(metric: Metric = Metric.MOVES) -> dict[str, str]:
    if metric is Metric.SLIDES:
        return {
            "certificate_optimal": _("The solution and a proof that no solution has fewer slides."),
            "certificate_bounded": _(
                "The best solution and a proof that every solution has at least {lower} slides."
            ),
        }
    return {
        "certificate_optimal": _("The solution and a proof that no solution is shorter."),
        "certificate_bounded": _(
            "The best solution and a proof that every solution has at least {lower} moves."
        ),
    }


def playback_texts() -> dict[str, str]:
    return {
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{speed}/s"),
        "move_of": _("Move {move} of {moves}"),
    }


def player_texts() -> dict[str, str]:
    return {
        **board_texts(),
        **playback_texts(),
        "no_moves": _("Could not load the solution: {reason}"),
    }
