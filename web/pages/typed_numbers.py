"""Numbers as people type them into forms."""

from __future__ import annotations

import math

from tilework.core.errors import OptionError

_LONGEST_QUOTE = 40


def read_number(field: str, text: str, least: float = -math.inf) -> float:
    """Read a number with a point or a comma.

    Parameters
    ----------
    field : str
        What the form calls it, in the visitor's language.

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
            "typed-number",
            "{field}: {text!r} is not a number; write one as in 5 or 2.5",
            field=field,
            text=text[:_LONGEST_QUOTE],
        ) from None
    if number < least:
        raise OptionError(
            "typed-least",
            "{field}: {text!r} is too small; give {least:g} or more",
            field=field,
            text=text[:_LONGEST_QUOTE],
            least=least,
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
            "typed-whole",
            "{field}: {text!r} is out of range; give a whole number from {least} to {most}",
            field=field,
            text=text[:_LONGEST_QUOTE],
            least=least,
            most=most,
        )
    return number
