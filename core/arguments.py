"""Checks of the arguments of public functions, and the sentences that reject them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from numbers import Integral, Real
from reprlib import Repr
from typing import Any, Final, TypeVar

from tilework.core.errors import InputError, OptionError
from tilework.core.messages import Message

Choice = TypeVar("Choice", bound=StrEnum)
Checked = TypeVar("Checked")

_MAX_NAME: Final = 60
_REPR: Final = Repr()
_REPR.maxstring = _REPR.maxother = 60


def quote(value: object) -> str:
    """Return a short representation on one line."""
    try:
        return " ".join(_REPR.repr(value).split())
    except ValueError:  # an integer of thousands of digits
        return f"<{type(value).__name__}>"


def invalid(name: str, given: object, allowed: Message) -> Message:
    return Message(
        name.replace("_", "-"),
        "invalid {name} {given}; use {allowed}",
        name=name,
        given=quote(given),
        allowed=allowed,
    )


def optional(check: Callable[..., Checked], name: str, value: Any, *more: Any) -> Checked | None:
    """Return None for None, otherwise the result of a check."""
    return None if value is None else check(name, value, *more)


def check_integer(
    name: str,
    value: Any,
    low: int,
    high: int | None = None,
    error: type[InputError] = OptionError,
) -> int:
    """Return a whole number, such as one of NumPy, as an ``int``."""
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if is_integer and low <= value and (high is None or value <= high):
        return int(value)
    if high is None:
        allowed = Message("whole-number-from", "a whole number of at least {ge}", ge=low)
    else:
        allowed = Message("whole-number-range", "a whole number from {ge} to {le}", ge=low, le=high)
    raise error(invalid(name, value, allowed))


_NOT_NEGATIVE: Final = Message("number-from", "a number of at least {ge}", ge=0)


def check_number(name: str, value: Any, allowed: Message = _NOT_NEGATIVE) -> float:
    """Return a number of at least 0; one that is too large for a ``float`` becomes infinite."""
    if isinstance(value, Real) and not isinstance(value, bool) and value >= 0:  # type: ignore[operator]
        try:
            return float(value)
        except OverflowError:
            return math.inf
    raise OptionError(invalid(name, value, allowed))


def check_type(
    name: str,
    value: Any,
    kind: type[Checked],
    allowed: Message,
    error: type[InputError] = OptionError,
) -> Checked:
    if isinstance(value, kind):
        return value
    raise error(invalid(name, value, allowed))


def check_iterable(
    name: str, value: Any, allowed: Message, error: type[InputError] = OptionError
) -> Iterable[Any]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return value
    raise error(invalid(name, value, allowed))


EXAMPLE_ID: Final = "01890a5d-ac96-774b-bcce-b302099a8057"

TEXT: Final = Message("text", "text")
TRUE_OR_FALSE: Final = Message("true-or-false", "true or false")


def check_text(name: str, value: Any) -> str:
    return check_type(name, value, str, TEXT)


def check_choice(value: Any, choices: Iterable[Choice]) -> Choice:
    """Return the member of an enumeration, or of a part of it, that has this value."""
    for choice in choices:
        if isinstance(value, str) and value == choice:
            return choice
    raise not_available(value, choices)


def not_available(value: object, choices: Iterable[str]) -> OptionError:
    """Return the error for an unknown name; it suggests the name that was probably meant."""
    names = list(choices)
    meant = _guess(value, names) if isinstance(value, str) else None
    if meant is not None:
        return OptionError(
            "choice-meant",
            "{given} is not available; did you mean {meant}?",
            given=quote(value),
            meant=meant,
        )
    return OptionError(
        "choice",
        "{given} is not available; choose from {choices}",
        given=quote(value),
        choices=", ".join(names),
    )


def _guess(text: str, names: Sequence[str]) -> str | None:
    """Return the name that is spelled or abbreviated like a text: ``A*``, ``astar``, ``bfs``."""
    plain = "".join(filter(str.isalpha, text[:_MAX_NAME].casefold().replace("*", "star")))
    for name in names:
        initials = "".join(word[0] for word in name.split("-"))
        if len(plain) > 1 and plain in (name.replace("-", ""), initials + "s"):
            return name
    return next(iter(get_close_matches(plain, names, 1, cutoff=0.75)), None)
