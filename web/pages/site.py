"""Parts shared by all pages: menu, language, number formats in templates, errors, statistics."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import (
    Blueprint,
    Response,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.errors import InputError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import Metric
from tilework.web.clients import services
from tilework.web.i18n import (
    LANGUAGE_COOKIE,
    LANGUAGE_PARAMETER,
    LANGUAGES,
    format_decimal,
    language,
    pgettext,
    set_language_headers,
    translate,
)
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import format_sentence
from tilework.web.pages.numbers import format_fraction, format_ratio, format_rounded, format_seconds
from tilework.web.pages.texts import format_length, queue_names, script_texts, state_names
from tilework.web.problems import request_error_id

_ONE_YEAR_S = 365 * 86_400
_UNSOLVED = Board([1, 2, 3, 4, 0, 6, 7, 5, 8]), blank_last(Size(3, 3))


def choose_language() -> BaseResponse:
    response = redirect(_local_path(request.form.get("next", "")), 303)
    selected_language = request.form.get("language", "")
    if selected_language in LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE,
            selected_language,
            max_age=_ONE_YEAR_S,
            samesite="Lax",
            httponly=True,
            secure=services().settings.secure_cookies,
        )
    return response


def _local_path(url: str) -> str:
    """Return a path of this site. Redirecting elsewhere would be an open redirect."""
    if not url.isprintable():
        raise InputError(
            "next-page",
            "{address!r} is not a page of this site; use a path, as in {example}",
            address=url[:100],
            example="/jobs",
        )
    if not url.startswith("/") or url[1:2] in ("/", "\\"):
        return "/"
    return url


def make_template_context() -> dict[str, object]:
    # With a language in the address, the buttons for the language would have no effect.
    parameters = [item for item in request.args.items(multi=True) if item[0] != LANGUAGE_PARAMETER]
    query = urlencode(parameters)
    return {
        "language": language(),
        "current_path": f"{request.path}?{query}" if query else request.path,
        "navigation": _make_navigation(),
        "script_texts": script_texts,
    }


def make_redirect(endpoint: str) -> Callable[..., BaseResponse]:
    """Return a view that redirects to a page, with those of its own arguments that it takes."""

    def redirect_to_page(**values: Any) -> BaseResponse:
        is_expected = partial(current_app.url_map.is_endpoint_expecting, endpoint)
        url = url_for(
            endpoint, **{name: value for name, value in values.items() if is_expected(name)}
        )
        query = urlencode(list(request.args.items(multi=True)))
        return redirect(f"{url}?{query}" if query else url, HTTPStatus.SEE_OTHER)

    return redirect_to_page


def format_instant(epoch_s: float) -> str:
    """Format epoch seconds as an ISO time in UTC, which a script converts to local time."""
    return datetime.fromtimestamp(epoch_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def register_filters(pages: Blueprint) -> None:
    for name, function in (
        ("number", format_decimal),
        ("moves", format_length),
        ("slides", partial(format_length, metric=Metric.SLIDES)),
        ("rounded", format_rounded),
        ("percent", format_fraction),
        ("ratio", format_ratio),
        ("seconds", format_seconds),
        ("translated", translate),
        ("sentence", format_sentence),
        ("instant", format_instant),
    ):
        pages.add_app_template_filter(function, name)


def error_page(error: HTTPException) -> Response:
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    if status == HTTPStatus.NOT_FOUND:
        title = _("Page not found")
        message = _("Check the address. If it was the address of a job, the job may have expired.")
    elif "error_id" in g:
        title = _("Server error")
        message = _(
            "The error was logged as %(error_id)s. Running jobs are not affected; try again in "
            "a moment.",
            error_id=request_error_id(),
        )
    else:
        title = _("Request failed")
        message = error.description or ""
    page = render_template(
        "error.html", status=int(status), title=title, message=message, boards=_UNSOLVED
    )
    return set_language_headers(make_response(page, status))


def learn() -> str:
    return render_template("learn/learn.html")


def statistics() -> str:
    statistics = services().read.statistics()
    return render_template(
        "statistics.html",
        statistics=statistics,
        sizes=sorted(statistics.sizes, key=lambda size: (size.width * size.height, size.width)),
        max_puzzles=max((size.puzzles for size in statistics.sizes), default=0),
        cached_share=statistics.cached_jobs / statistics.total_jobs
        if statistics.total_jobs
        else 0.0,
        queues=services().read.queues(),
        queue_names=queue_names(),
        state_names=state_names(),
    )


class Link(NamedTuple):
    title: str
    url: str
    is_current: bool


# For each link of the menu, the other pages on which it is marked as current.
_PAGES = {
    "home": {"submit", "upload", "job", "batch"},
    "play": set(),
    "analyse": {"submit_game", "analysis"},
    "learn": set(),
    "compare": {"submit_comparison", "comparison"},
    "lab": {"submit_lab", "steps", "worksheet"},
    "shortest_paths": {"submit_shortest_paths", "shortest_paths_result"},
    "history": set(),
}


def _make_navigation() -> dict[str, list[Link]]:
    """Return the four sections, and the pages of the current one, if it has several."""
    is_game, is_daily = request.endpoint == "pages.play", "daily" in request.args
    play = [
        _make_link(_("Free play"), "play")._replace(is_current=is_game and not is_daily),
        Link(_("Daily puzzle"), f"{url_for('pages.play')}?daily", is_game and is_daily),
        _make_link(_("Analyse"), "analyse"),
    ]
    learn = [
        _make_link(_("How it works"), "learn"),
        _make_link(_("Step by step"), "lab"),
        _make_link(_("Compare"), "compare"),
        _make_link(_("All shortest solutions"), "shortest_paths"),
    ]
    sections = [
        _make_link(_("Solve"), "home"),
        _make_section(pgettext("game", "Play"), play),
        _make_section(_("Learn"), learn),
        _make_link(_("History"), "history"),
    ]
    current = (pages for pages in (play, learn) if any(page.is_current for page in pages))
    return {"sections": sections, "pages": next(current, [])}


def _make_link(title: str, page: str) -> Link:
    endpoint = (request.endpoint or "").removeprefix("pages.")
    return Link(title, url_for(f"pages.{page}"), endpoint == page or endpoint in _PAGES[page])


def _make_section(title: str, pages: list[Link]) -> Link:
    return Link(title, pages[0].url, any(page.is_current for page in pages))
