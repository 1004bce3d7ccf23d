"""How numbers and times are written in templates, in the visitor's language."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.numbers import format_compact_decimal
from flask import Blueprint
from flask_babel import format_decimal, format_percent, get_locale

from tilework.web.assets.module_graph import imports_of
from tilework.web.i18n import say
from tilework.web.pages.first_moves import first_moves
from tilework.web.pages.refusals import sentence

_THOUSAND = 1_000


def short(value: float) -> str:
    """Write a large number in a few characters: 12.3M."""
    if value < _THOUSAND:
        return str(format_decimal(value))
    return format_compact_decimal(value, locale=get_locale(), fraction_digits=1)


def percent(share: float) -> str:
    """Write a share, 0..1, as a percentage."""
    return str(format_percent(share, "#,##0.#%"))


def ratio(value: float) -> str:
    """Write how many times as long one thing is as another: 1.304."""
    return str(format_decimal(value, "0.000"))


def tenths(value: float) -> str:
    """Write seconds with one digit after the point: 0.3."""
    return str(format_decimal(value, "#,##0.0"))


def instant(epoch_s: float) -> str:
    """Write epoch seconds as an ISO time in UTC; the page's module makes it local."""
    return datetime.fromtimestamp(epoch_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def register(pages: Blueprint) -> None:
    """Make the filters, and what templates ask for, known to every template."""
    for name, write in (
        ("number", format_decimal),
        ("short", short),
        ("percent", percent),
        ("ratio", ratio),
        ("tenths", tenths),
        ("said", say),
        ("sentence", sentence),
        ("instant", instant),
    ):
        pages.add_app_template_filter(write, name)
    pages.add_app_template_global(imports_of, "imports_of")
    pages.add_app_template_global(first_moves, "first_moves")
