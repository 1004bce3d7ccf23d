"""The menu: four sections, some of which contain several pages."""

from __future__ import annotations

from typing import NamedTuple

from flask import request, url_for

from tilework.web.i18n import gettext as _
from tilework.web.i18n import pgettext


class Link(NamedTuple):
    title: str
    url: str
    is_current: bool


class Navigation(NamedTuple):
    sections: list[Link]
    pages: list[Link]
    """The pages of the current section, if it has several."""


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


def make_navigation() -> Navigation:
    play = [
        _make_link(_("Free play"), "play"),
        Link(_("Daily puzzle"), url_for("pages.play", _anchor="daily"), is_current=False),
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
    return Navigation(sections, next(current, []))


def _make_link(title: str, page: str) -> Link:
    endpoint = (request.endpoint or "").removeprefix("pages.")
    return Link(title, url_for(f"pages.{page}"), endpoint == page or endpoint in _PAGES[page])


def _make_section(title: str, pages: list[Link]) -> Link:
    return Link(title, pages[0].url, any(page.is_current for page in pages))
