"""Sentences for the module that shows runs step by step; names in braces are filled in there."""

from __future__ import annotations

from flask_babel import gettext as _

from tilework.core.search.limits import StopReason
from tilework.core.services.lab.vocabulary import Outcome
from tilework.web.pages.lab.comparison_words import ending_words
from tilework.web.pages.words import board_words


def outcome_names() -> dict[str, str]:
    """The outcomes of a generated node."""
    return {
        Outcome.NEW: _("new"),
        Outcome.DUPLICATE: _("known already"),
        Outcome.CHEAPER: _("cheaper path"),
        Outcome.CUT: _("cut"),
        Outcome.FORBIDDEN: _("not allowed"),
    }


def statistic_names() -> dict[str, str]:
    """What is counted of a run, by the parts of the page that show it."""
    return {
        "expanded": _("Expanded"),
        "generated": _("Generated"),
        "visited": _("Visited"),
        "max_frontier": _("Largest frontier"),
        "duplicates": _("Duplicates"),
        "depth": _("Depth"),
        "branching": _("Branching"),
        "seconds": _("Time"),
        "memory": _("Memory"),
    }


def steps_words() -> dict[str, str | dict[str, str]]:
    """Sentences of the page."""
    return board_words() | {
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{speed} steps/s"),
        "before_steps": _("Before the first step"),
        "after_steps": _("At the end"),
        "step_of": _("Step {step} of {steps}"),
        "ended_after": _("Ended after {steps} steps."),
        "ended_after_one": _("Ended after 1 step."),
        "not_kept": _("Step {step} is not kept here; this is step {shown}."),
        "expands": _("Step {step} expands this board"),
        "the_start": _("The start"),
        "the_goal": _("The goal, from which this search goes backward"),
        "ended_at_goal": _("The goal was reached"),
        "ended_where_met": _("Here the two searches met"),
        "ended": _("The search has ended"),
        "waits": _("It waits in the frontier"),
        "kinds": {
            "current": _("Expanded now"),
            "expanded": _("Expanded before"),
            "waiting": _("It waits in the frontier"),
            "cheaper": _("It waits, reached by a cheaper path"),
            "duplicate": _("A board that was known already"),
            "cut": _("Cut: it is not followed"),
            "forbidden": _("Not allowed: it would undo the move before"),
        },
        "outcomes": outcome_names(),
        "tree": _("Game tree after step {step}, with {nodes} nodes"),
        "and_more": _("and {count} more"),
        "frontier_empty": _("Nothing waits."),
        "frontier_unknown": _("The search ended in this step, before what waits was counted."),
        "no_gap": _("Every step is kept."),
        "gap": _("Steps {first} to {last} are not kept."),
        "gap_one": _("Step {step} is not kept."),
        "gaps": _("{kept} of {steps} steps are kept; between {first} and {last} only some."),
        "endings": {
            "already_solved": _("already solved: 0 moves"),
            "optimal": _("{moves} moves, a shortest solution"),
            "optimal_one": _("1 move, a shortest solution"),
            "longer": _("{moves} moves, not the shortest"),
            "solved": _("{moves} moves"),
            "solved_one": _("1 move"),
            "none": _("no solution found"),
            "failed": _("failed"),
            **{str(reason): words for reason, words in ending_words().items()},
            str(StopReason.CANCELLED): _("cancelled"),
        },
        "milliseconds": _("{count} ms"),
        "kilobytes": _("{count} kB"),
        "megabytes": _("{count} MB"),
        "seconds": _("{seconds} s"),
        "minutes": _("{minutes} min {seconds} s"),
        "hours": _("{hours} h {minutes} min"),
        "no_step": _("the search ended before its first"),
        "no_steps": _("this run keeps no steps"),
        "no_trace": _("The steps cannot be shown: {reason}"),
        "lost": _(
            "The connection is lost. Trying again in {seconds} s; the runs go on without this page."
        ),
    }
