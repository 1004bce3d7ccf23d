"""A comparison as a picture: the nodes that each method generated."""

from __future__ import annotations

from statistics import median
from uuid import UUID

from flask import Response
from flask_babel import gettext as _

from tilework.core.drawing.bars_svg import Bar, bars_svg
from tilework.core.model.comparison_views import ComparisonView
from tilework.core.services.lab.vocabulary import Method
from tilework.web.clients import services
from tilework.web.i18n import name_language
from tilework.web.pages.filters import short
from tilework.web.pages.lab.comparison_words import comparison_title
from tilework.web.pages.lab.words import method_title
from tilework.web.pages.pictures import SVG, asked_light, kept

_UNKNOWN = "–"


def nodes(comparison_id: UUID) -> Response:
    """Draw a bar for each method; of a sweep, the median over its boards."""
    view = services().comparisons.view(str(comparison_id))
    shown = _("Nodes generated")
    title = f"{shown} · {comparison_title(view)}"
    drawn = bars_svg(title, [_bar(view, method) for method in view.methods], asked_light())
    return name_language(kept(drawn, SVG, 0))


def _bar(view: ComparisonView, method: Method) -> Bar:
    runs = [run for run in view.runs if run.method == method and run.statistics is not None]
    found = [run.statistics.generated for run in runs if run.statistics is not None]
    if not found:
        return Bar(method_title(method), None, _UNKNOWN, strong=False)
    value = median(found)
    return Bar(method_title(method), value, short(value), strong=all(run.optimal for run in runs))
