"""Translated texts of pages and their scripts, which fill in the names in braces.

``web/static/js/job/verdict.js`` formats a job's verdict in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

from tilework.core.model.job_options import Metric
from tilework.core.model.jobs import JobView
from tilework.core.model.states import JobState, Queue, RunState
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _


class Verdict(NamedTuple):
    """The verdict of a job around its answer, which is larger on the page."""

    before: str
    answer: str
    after: str


def make_verdict(job: JobView) -> Verdict:
    lower, upper = job.lower_bound, job.upper_bound
    patterns = verdict_patterns()
    if upper == 0:
        return Verdict("", patterns["solved"], "")
    format_count = format_slide_count if job.options.metric is Metric.SLIDES else format_move_count
    if upper is None:
        pattern = patterns["ended" if job.finished else "open"]
        answer, separator, after = pattern.format(moves=format_count(lower)).partition(SEPARATOR)
        return Verdict("", answer, separator + after)
    pattern = patterns["shortest" if upper == lower else "best"]
    before, _moves, after = pattern.partition("{moves}")
    return Verdict(before, format_count(upper), after.format(lower=format_decimal(lower)))


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


def format_move_count(count: int) -> str:
    return ngettext("%(moves)s move", "%(moves)s moves", count, moves=format_decimal(count))


def format_slide_count(count: int) -> str:
    return ngettext("%(slides)s slide", "%(slides)s slides", count, slides=format_decimal(count))


def count_patterns(metric: Metric = Metric.MOVES) -> dict[str, str]:
    """Return a pattern for each plural category of ``Intl.PluralRules``."""
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
    return {
        JobState.QUEUED: _("waiting"),
        JobState.RUNNING: _("searching"),
        JobState.OPTIMAL: _("optimal"),
        JobState.BOUNDED: _("solution found"),
        JobState.CANCELLED: _("cancelled"),
        JobState.EXPIRED: _("time limit reached"),
        JobState.FAILED: _("failed"),
    }


def run_state_names() -> dict[RunState, str]:
    return {
        RunState.QUEUED: _("waiting"),
        RunState.RUNNING: _("searching"),
        RunState.DONE: _("finished"),
        RunState.FAILED: _("failed"),
        RunState.CANCELLED: _("cancelled"),
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


def home_texts() -> dict[str, str]:
    return {
        **board_texts(),
        "cell": _("{tile}, row {row}, column {column}"),
        "held": _("Tile {tile} selected: choose the tile to swap it with."),
        "empty_file": _("{name} is empty; choose a file with a board."),
        "no_file": _("{name} cannot be read: {reason}"),
        "no_text": _("it contains neither text nor a picture."),
        "first_move": _("Your first move: tile {tile}."),
        "first_move_made": _("Good! Now {moves} moves remain."),
        "solve_one": _("Solve"),
        "solve_several": _("Solve all {count}"),
        "no_picture": _("this browser cannot show the picture."),
        "picture_reading": _("Reading the picture…"),
        "review_cell": _("Row {row}, column {column}"),
        "review_doubtful": _("Row {row}, column {column}, uncertain"),
        "review_doubts": _("Uncertain tiles, marked in the picture: {count}."),
        "review_missing": _("Each number from 0 to {max} must appear once; missing: {missing}."),
        "review_sure": _("All tiles were read clearly; please check them anyway."),
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


def job_texts() -> dict[str, str | dict[str, str]]:
    return {
        **player_texts(),
        "verdict": verdict_patterns(),
        "moves": count_patterns(),
        "meaning_already_solved": _("The board is already in its goal position."),
        "meaning_optimal": _("No solution is shorter."),
        "meaning_any": _("A shorter solution may exist."),
        "meaning_gap": _("At most {gap} over the optimal length."),
        "meaning_times": _("At most {times} times the optimal length."),
        "progress": _("Searching for a solution of {threshold} moves: {share} done"),
        "progress_name": _("Progress of the search"),
        "time_used": _("{used} of {limit} used"),
        "time_used_name": _("Time used"),
        "left_about": _("about {time}"),
        "left_threshold": _("· about {time} left ({range})"),
        "left_unknown": _("not known yet"),
        "limit": _(
            "The time limit will be reached in {time}, possibly before the proof is complete; the "
            "bounds will be kept."
        ),
        "engine_patterns": _("Heuristic: pattern databases {tables}."),
        "engines": {
            "lines": _("Heuristic: linear conflict, no pattern databases."),
            "small": _("Heuristic: pattern databases built for this board."),
        },
        "building": _(
            "Building better pattern databases, {tables}: {share}. The search will use them "
            "when they are ready."
        ),
        "preparing": _(
            "Compiling the search for the first time on this machine: about {seconds} s. The "
            "job's time limit starts afterwards."
        ),
        **certificate_texts(),
        "waiting": _("Waiting for a worker."),
        "lost": _(
            "Connection lost. Retrying in {seconds} s; the search continues in the meantime."
        ),
        "loading": _("Loading {moves} moves … {share}"),
        "shorter": _("Found a shorter solution: {moves} moves."),
        "shorter_known": _("A later search found a shorter solution, shown here: {moves} moves."),
        "shorter_shown": _(
            "Found a shorter solution: {moves} moves. The player continues from the same point."
        ),
        "not_cancelled": _("The search could not be stopped: {reason}"),
        "copied": _("Copied."),
        "share": _("Share"),
        "link_copied": _("Link copied"),
        "not_copied": _("The browser did not allow copying."),
        "too_long": _("Too long to copy; download it instead."),
        "events": _("After {time}: optimal length {lower} to {upper}, {improvements}."),
        "events_lower": _("After {time}: optimal length at least {lower}, {improvements}."),
        "improvements": {
            "one": ngettext("%(count)s improvement", "%(count)s improvements", 1, count="{count}"),
            "other": ngettext(
                "%(count)s improvement", "%(count)s improvements", 2, count="{count}"
            ),
        },
        "chart_bounds": _("Bounds over time"),
        "chart_moves": _("Moves over time"),
        "trying": {
            "initial": _("first solution and bounds"),
            "proof": _("checking whether {threshold} moves are enough"),
            "check": _("verifying that {threshold} moves are not enough"),
            "aimed": _("beam search for a solution of {threshold} moves, width {width}"),
            "beam": _("beam search of the whole board, width {width}"),
            "beam_view": _(
                "beam search of the whole board, width {width}, mirrored or relabelled (view "
                "{view})"
            ),
            "fresh": _("a different solution of the whole board, width {width} (view {view})"),
            "windows": _("improving windows of {length} moves from move {first} to {last}"),
        },
        "paid": {
            "beam": _("The whole board"),
            "fresh": _("Another solution"),
            "windows": _("Windows of {length} moves"),
        },
        "methods": {
            "look-up": _("Table of distances"),
            "a-star": "A*",
            "ida-star": "IDA*",
            "constructive": _("Constructive"),
            "sweep": _("Sweeps"),
            "beam": _("Beam search"),
            "aimed": _("Aimed beam search"),
            "fresh": _("Another solution"),
            "windows": _("Windows"),
        },
        "trying_for": _("{search}: {time}"),
        "trying_time": _("{search}: {time} of about {expected}"),
        "trying_several": _("{search} ({count} workers)"),
        "trying_more": _("and {count} more"),
        "workers_busy": _("waiting: the workers are busy with other boards"),
        "workers_one": _("1 worker searching"),
        "workers_many": _("{count} workers searching"),
        "improved_ago": _("last improved {time} ago"),
        "improved_before_end": _("last improved {time} before the end"),
        "improved_never": _("not improved yet"),
        "silence": _(
            "No shorter solution in the last {time}; the previous {before} saved {count} moves. "
            "You can stop: the best solution is kept."
        ),
        "silence_only": _(
            "No shorter solution in the last {time}. You can stop: the best solution is kept."
        ),
        "notice_refused": _("Notifications are blocked by the browser."),
        "notice_title": _("{board}: {state}"),
        "seconds": _("{seconds} s"),
        "minutes": _("{minutes} min {seconds} s"),
        "hours": _("{hours} h {minutes} min"),
        "rough": {
            "seconds": _("{count} s"),
            "minutes": _("{count} min"),
            "hours": _("{count} h"),
            "days": _("{count} days"),
            "years": _("{count} years"),
        },
        "states": state_names(),
    }


def slides_job_texts() -> dict[str, str | dict[str, str]]:
    """Return the texts that differ for a job that minimizes slides."""
    return {
        **certificate_texts(Metric.SLIDES),
        "moves": count_patterns(Metric.SLIDES),
        "meaning_optimal": _("No solution has fewer slides."),
        "meaning_any": _("A solution with fewer slides may exist."),
        "meaning_gap": _("At most {gap} more slides than the fewest."),
        "meaning_times": _("At most {times} times the fewest slides."),
        "shorter": _("Found a solution with fewer slides: {moves}."),
        "shorter_shown": _(
            "Found a solution with fewer slides: {moves}. The player continues from the same point."
        ),
        "events": _("After {time}: {lower} to {upper} slides, {improvements}."),
        "events_lower": _("After {time}: at least {lower} slides, {improvements}."),
    }
