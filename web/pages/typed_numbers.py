"""Numbers as people type them into forms."""

from __future__ import annotations

import math

from flask_babel import gettext as _

from core.errors import OptionError

_LONGEST_QUOTE = 40


def read_number(field: str, text: str, least: float = -math.inf) -> float:
    """Read a number with a point or a comma.

    Parameters
    ----------
    field : str
        What the form calls it, in the visitor's language, as is the message of an error.

    Raises
    ------
    OptionError
        If it is not a number, or under the least.
    """
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise OptionError(
            _(
                "%(field)s: %(text)s is not a number; write one as in 5 or 2.5",
                field=field,
                text=_quoted(text),
            )
        ) from None
    if number < least:
        raise OptionError(
            _(
                "%(field)s: %(text)s is not possible; give %(least)s or more",
                field=field,
                text=_quoted(text),
                least=f"{least:g}",
            )
        )
    return number


def read_whole(field: str, text: str, least: int, most: int) -> int:
    """Read a whole number within bounds; ``field`` as in `read_number`.

    Raises
    ------
    OptionError
        If it is not a whole number, or out of bounds.
    """
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise OptionError(
            _(
                "%(field)s: %(text)s is not possible here; "
                "give a whole number from %(least)s to %(most)s",
                field=field,
                text=_quoted(text),
                least=least,
                most=most,
            )
        )
    return number


def _quoted(text: str) -> str:
    return repr(text[:_LONGEST_QUOTE])
