"""Translated texts of the page of a job and its scripts."""

from __future__ import annotations

from tilework.core.model.job_options import Metric
from tilework.web.i18n import gettext as _
from tilework.web.i18n import ngettext
from tilework.web.pages.texts import (
    certificate_texts,
    count_patterns,
    player_texts,
    state_names,
    verdict_patterns,
)


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
            "manhattan": _("Heuristic: Manhattan distance."),
            "slides": _("Heuristic: pattern databases of slides."),
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
            "sweep": _("Sweeps"),
            "fresh": _("a different solution of the whole board, width {width} (view {view})"),
            "suffix": _("a shorter beginning or end of the best solution, width {width}"),
            "windows": _("improving windows of {length} moves from move {first} to {last}"),
        },
        "paid": {
            "sweep": _("Sweeps"),
            "beam": _("The whole board"),
            "fresh": _("Another solution"),
            "suffix": _("Beginnings and ends"),
            "windows": _("Windows of {length} moves"),
        },
        "methods": {
            "a-star": "A*",
            "ida-star": "IDA*",
            "constructive": _("Constructive"),
            "sweep": _("Sweeps"),
            "beam": _("Beam search"),
            "aimed": _("Aimed beam search"),
            "fresh": _("Another solution"),
            "suffix": _("Beginnings and ends"),
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
        "rough_one": {"days": _("{count} day"), "years": _("{count} year")},
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
