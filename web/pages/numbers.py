"""Numbers as text. ``static/js/numbers.js`` does the same, and both are tested with one table."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from babel.numbers import format_compact_decimal
from flask_babel import get_locale

from tilework.core.puzzle.metric import round_ratio
from tilework.web.i18n import format_decimal, format_percent
from tilework.web.i18n import gettext as _

_DIGITS: Final = 3
_MILLION: Final = 1_000_000


def format_rounded(value: float) -> str:
    """Format a measured value with three digits, and from a million on with its word."""
    power = math.floor(math.log10(abs(value))) if value else 0
    step = Decimal(1).scaleb(power - _DIGITS + 1)
    rounded = (Decimal(str(value)) / step).quantize(Decimal(1), ROUND_HALF_UP) * step
    if rounded < _MILLION:
        return format_decimal(rounded, "#,##0.###############")
    return format_compact_decimal(
        rounded, format_type="long", locale=get_locale(), fraction_digits=_DIGITS - 1
    )


def format_fraction(fraction: float) -> str:
    """Format a fraction from 0 to 1 as a percentage."""
    return format_percent(fraction, "#,##0.#%")


def format_ratio(value: float) -> str:
    """Format the ratio of a length to its lower bound, as in 1.304."""
    return format_decimal(round_ratio(value), "0.000")


# What would be rounded to the next unit is written in it.
_MS_LIMIT_S: Final = 0.9995
_SECONDS_LIMIT_S: Final = 59.95
_MINUTE_S: Final = 60


def format_seconds(value: float) -> str:
    """Format a measured duration; ``formatDuration`` does the same."""
    if 0 < value < _MS_LIMIT_S:
        return _("{count} ms").format(count=format_rounded(value * 1000))
    if value < _SECONDS_LIMIT_S:
        return _("{count} s").format(count=format_rounded(value))
    minutes, seconds = divmod(max(int(value), _MINUTE_S), _MINUTE_S)
    hours, minutes = divmod(minutes, _MINUTE_S)
    if hours:
        return _("{hours} h {minutes} min").format(hours=format_decimal(hours), minutes=minutes)
    return _("{minutes} min {seconds} s").format(minutes=minutes, seconds=seconds)


_KIBIBYTE: Final = 1024


def format_figure(name: str, value: float) -> str:
    """Format a statistic of a run by its name in the API."""
    if name == "seconds":
        return format_seconds(value)
    if name == "memory_bytes":
        if value < _KIBIBYTE**2:
            return _("{count} kB").format(count=format_rounded(value / _KIBIBYTE))
        return _("{count} MB").format(count=format_rounded(value / _KIBIBYTE**2))
    return format_decimal(value, "0.000" if name == "branching" else "#,##0")
