"""What is known of a board's shortest solution, in the words of whoever asked.

The page's module says the same by the same words: ``web/static/js/job/verdict.js``.
"""

from __future__ import annotations

from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _

from tilework.core.model.job_views import JobView
from tilework.core.services.jobs.vocabulary import Metric


def verdict_words(job: JobView) -> str:
    """The answer as one line: how many moves, and whether fewer may do."""
    lower, upper = job.lower_bound, job.upper_bound
    if upper == 0:
        return str(_("Already solved"))
    patterns = verdict_patterns(job.metric)
    if upper is None:
        pattern = patterns["ended" if job.finished else "open"]
    else:
        pattern = patterns["shortest" if upper == lower else "best"]
    count = lower if upper is None else upper
    length = slides_words(count) if job.metric is Metric.SLIDES else moves_words(count)
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


def moves_words(count: int) -> str:
    """A number of moves with its noun."""
    return str(ngettext("%(moves)s move", "%(moves)s moves", count, moves=format_decimal(count)))


def slides_words(count: int) -> str:
    """A number of slides with its noun."""
    return str(
        ngettext("%(slides)s slide", "%(slides)s slides", count, slides=format_decimal(count))
    )


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
