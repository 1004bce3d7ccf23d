"""Sentences for the page's modules, which fill in the names in braces.

What is known of a job's solution is said alike by ``web/static/js/job/verdict.js``.
"""

from __future__ import annotations

from tilework.core.model.job_options import Metric
from tilework.core.model.job_views import JobView
from tilework.core.model.states import JobState, Queue
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _


def verdict_words(job: JobView) -> str:
    lower, upper = job.lower_bound, job.upper_bound
    if upper == 0:
        return _("Already solved")
    patterns = verdict_patterns(job.options.metric)
    if upper is None:
        pattern = patterns["ended" if job.finished else "open"]
    else:
        pattern = patterns["shortest" if upper == lower else "best"]
    count = lower if upper is None else upper
    length = slides_told(count) if job.options.metric is Metric.SLIDES else moves_told(count)
    return pattern.format(moves=length, lower=format_decimal(lower))


def verdict_patterns(metric: Metric = Metric.MOVES) -> dict[str, str]:
    """The lines, with ``{moves}``, a number and its noun, and ``{lower}``, a number."""
    fewest = _("{moves}, none fewer")
    return {
        "solved": _("Already solved"),
        "shortest": fewest if metric is Metric.SLIDES else _("{moves}, none shorter"),
        "best": _("Best: {moves}; at least {lower} are needed"),
        "open": _("No solution yet; it takes at least {moves}"),
        "ended": _("No solution found; it takes at least {moves}"),
    }


def moves_told(count: int) -> str:
    return ngettext("%(moves)s move", "%(moves)s moves", count, moves=format_decimal(count))


def slides_told(count: int) -> str:
    return ngettext("%(slides)s slide", "%(slides)s slides", count, slides=format_decimal(count))


def counted(metric: Metric = Metric.MOVES) -> dict[str, str]:
    """The noun for each way to count, as ``Intl.PluralRules`` names them."""
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
        JobState.BOUNDED: _("solved"),
        JobState.CANCELLED: _("cancelled"),
        JobState.EXPIRED: _("time is up"),
        JobState.FAILED: _("failed"),
    }


def queue_names() -> dict[str, str]:
    return {
        Queue.INTERACTIVE: _("First tries"),
        Queue.QUICK_ANALYSIS: _("Quick analyses"),
        Queue.BATCH: _("Batches"),
        Queue.ANALYSIS: _("Analyses"),
        Queue.LAB: _("The lab"),
        Queue.SEARCH: _("Long searches"),
    }


def board_words() -> dict[str, str]:
    return {
        "blank": _("blank"),
        "board_rows": _("Board {size}, row by row: {rows}"),
        "board_home": _("Board {size}: {home} of {tiles} tiles are home"),
    }


def home_words() -> dict[str, str]:
    return {
        **board_words(),
        "cell": _("{tile}, row {row}, column {column}"),
        "held": _("Tile {tile} is taken: choose the one to exchange it with."),
        "empty_file": _("{name} is empty; choose a file with a board in it."),
        "no_file": _("{name} cannot be read: {reason}"),
        "no_text": _("it holds neither text nor a picture."),
        "solve_one": _("Solve it"),
        "solve_several": _("Solve all {count}"),
        "no_picture": _("it is no picture that this browser can show."),
        "picture_reading": _("Reading the picture…"),
        "review_cell": _("Row {row}, column {column}"),
        "review_doubtful": _("Row {row}, column {column}, doubtful"),
        "review_doubts": _("Doubtful tiles, marked in the picture: {count}."),
        "review_missing": _(
            "Each number from 0 to {most} has to be there once; missing: {missing}."
        ),
        "review_sure": _("No tile is doubtful; compare them all the same."),
        "no_scramble": _("No board could be scrambled: {reason}"),
        "too_large": _("{name} is larger than {limit} MB."),
    }


def certificate_words(metric: Metric = Metric.MOVES) -> dict[str, str]:
    if metric is Metric.SLIDES:
        return {
            "certificate_optimal": _(
                "A file with the solution and the proof that none has fewer slides."
            ),
            "certificate_bounded": _(
                "A file with the best solution and the proof that none has fewer than {lower} "
                "slides."
            ),
        }
    return {
        "certificate_optimal": _("A file with the solution and the proof that none is shorter."),
        "certificate_bounded": _(
            "A file with the best solution and the proof that none has fewer than {lower} moves."
        ),
    }


def playing_words() -> dict[str, str]:
    return {
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{speed} moves/s"),
        "move_of": _("Move {move} of {moves}"),
    }


def player_words() -> dict[str, str]:
    return {
        **board_words(),
        **playing_words(),
        "no_moves": _("The solution could not be fetched: {reason}"),
    }


def job_words() -> dict[str, str | dict[str, str]]:
    return {
        **player_words(),
        "verdict": verdict_patterns(),
        "moves": counted(),
        "meaning_already_solved": _("The board lies as its goal does; no tile has to move."),
        "meaning_optimal": _("Proved: no solution is shorter."),
        "meaning_any": _("A solution, as asked; it may not be the shortest."),
        "meaning_gap": _(
            "{upper} moves; the shortest has at least {lower}, so this is at most {gap} longer."
        ),
        "meaning_times": _(
            "{upper} moves; the shortest has at least {lower}, so this is at most {times} times "
            "as long."
        ),
        "meaning_lower": _("No solution yet; none can be shorter than {lower} moves."),
        "progress": _(
            "Looking for a solution of {threshold} moves: {share} of what there is to try "
            "is searched"
        ),
        "progress_name": _("Progress of the search"),
        "time_used": _("{used} of {limit} used"),
        "time_used_name": _("Time used of the time limit"),
        "left_about": _("about {time}"),
        "left_threshold": _("to settle whether {threshold} moves do: about {time} ({range})"),
        "left_unknown": _("not known yet"),
        "limit": _(
            "The time that this job was given is up in {time}, which may be before the proof; "
            "the bounds stay."
        ),
        "engine_patterns": _("Searched with pattern databases {tables}."),
        "engines": {
            "lines": _("Searched with linear conflicts, without pattern databases."),
            "small": _("Searched with pattern databases made for this board."),
        },
        "building": _(
            "Better pattern databases, {tables}, are being built here: {share}. "
            "The search takes them up when they are ready."
        ),
        "preparing": _(
            "This machine compiles its search programs, once: about {seconds} s more. The time of "
            "the job begins then."
        ),
        **certificate_words(),
        "waiting": _("The job waits for a worker."),
        "lost": _(
            "The connection is lost. Trying again in {seconds} s; "
            "the search goes on without this page."
        ),
        "loading": _("Fetching {moves} moves … {share}"),
        "shorter": _("A shorter solution has come: {moves} moves."),
        "shorter_shown": _(
            "A shorter solution has come: {moves} moves. It is shown from the same share of the "
            "way."
        ),
        "not_cancelled": _("The search could not be stopped: {reason}"),
        "copied": _("Copied."),
        "share": _("Share"),
        "link_copied": _("Link copied"),
        "not_copied": _("The browser did not allow copying."),
        "too_long": _("Too long to copy; download it."),
        "events": _(
            "After {time} the optimum was known to be at least {lower} and at most {upper}; "
            "improvements: {count}."
        ),
        "events_lower": _(
            "After {time} the optimum was known to be at least {lower}; improvements: {count}."
        ),
        "chart_bounds": _("The bounds close in"),
        "chart_moves": _("Fewer and fewer moves"),
        "chart_note": _(
            "The proved lower bound, {lower}, lies below the picture; its scales are logarithmic."
        ),
        "trying": {
            "beam": _("a search of the whole board, {width} boards wide"),
            "beam_view": _(
                "a search of the whole board, {width} boards wide, seen in another way "
                "(view {view})"
            ),
            "fresh": _("another solution of the whole board, {width} boards wide (view {view})"),
            "windows": _("windows of {length} moves along moves {first} to {last}"),
        },
        "paid": {
            "beam": _("The whole board"),
            "fresh": _("Another solution"),
            "windows": _("Windows of {length} moves"),
        },
        "trying_more": _("and {count} more"),
        "workers_one": _("1 worker is at it"),
        "workers_many": _("{count} workers are at it"),
        "improved_ago": _("last improvement {time} ago"),
        "improved_before_end": _("last improvement {time} before the end"),
        "improved_never": _("no improvement yet"),
        "notice_refused": _("The browser does not allow it."),
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


def slides_job_words() -> dict[str, str | dict[str, str]]:
    """Sentences of a job that counts in slides, by the names that those of moves have."""
    return {
        **certificate_words(Metric.SLIDES),
        "verdict": verdict_patterns(Metric.SLIDES),
        "moves": counted(Metric.SLIDES),
        "meaning_optimal": _("Proved: no solution has fewer slides."),
        "meaning_any": _("A solution, as asked; others may have fewer slides."),
        "meaning_gap": _(
            "{upper} slides; any solution has at least {lower}, so these are at most {gap} more."
        ),
        "meaning_times": _(
            "{upper} slides; any solution has at least {lower}, so these are at most {times} "
            "times as many."
        ),
        "meaning_lower": _("No solution yet; none can have fewer than {lower} slides."),
        "shorter": _("A solution of fewer slides has come: {moves}."),
        "shorter_shown": _(
            "A solution of fewer slides has come: {moves}. It is shown from the same share of the "
            "way."
        ),
        "events": _(
            "After {time} the fewest slides were known to be at least {lower} and at most "
            "{upper}; improvements: {count}."
        ),
        "events_lower": _(
            "After {time} the fewest slides were known to be at least {lower}; improvements: "
            "{count}."
        ),
    }
