"""Numbers as people type them into forms."""

from __future__ import annotations

import math

from core.errors import OptionError

_LONGEST_QUOTE = 40


def read_number(text: str) -> float:
    """Read a number with a point or a comma.

    Raises
    ------
    OptionError
        If it is none.
    """
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise OptionError(
            f"{text[:_LONGEST_QUOTE]!r} is not a number; write one as in 5 or 2.5"
        ) from None
    return number


def read_whole(text: str, least: int, most: int) -> int:
    """Read a whole number within bounds.

    Raises
    ------
    OptionError
        If it is none, or out of bounds.
    """
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise OptionError(
            f"{text[:_LONGEST_QUOTE]!r} is not possible here; "
            f"give a whole number from {least} to {most}"
        )
    return number
