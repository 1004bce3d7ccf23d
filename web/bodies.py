"""What a body may consist of, counted before anything of it is parsed.

Parsing takes time and memory by what is written, not by bytes: eight megabytes of ``[],[],…`` took
three seconds, of unknown fields eight. So the signs that make values are counted, which takes some
milliseconds, and a body with more of them than the largest boards need is refused. A body within
these bounds costs no more than an honest one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tilework.core.messages import Message
from tilework.core.settings import Settings

SMALL_BYTES: Final = 1 << 16
"""Of a body that can be nothing but cheap; it is not looked at."""

MOST_DIGITS: Final = 18
"""Of one number; longer ones are no machine words, and take time by the square of their digits."""

_PART_BYTES: Final = 1 << 16
_SPARE: Final = 1_000
_CELL_BYTES: Final = 24
_FORM_CELL_BYTES: Final = 12
_FORM_SPARE: Final = 10_000
_FORM_FIELDS: Final = 500
_BATCH_VALUES: Final = 100
_BATCH_LISTS: Final = 16
_BATCH_FIELDS: Final = 4


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large a body may be.

    Attributes
    ----------
    size : int
        In bytes.
    signs : mapping
        How often each sign may stand in it.
    """

    size: int
    signs: Mapping[str, int]


def json_of_a_board(settings: Settings) -> Bounds:
    """Return the bounds of JSON with a board and its goal, indented or not."""
    cells = settings.max_cells
    size = 2 * _CELL_BYTES * cells + SMALL_BYTES
    values = 2 * cells + _SPARE
    return Bounds(
        min(size, settings.max_body_bytes),
        {",": values, "[": cells // 2 + _SPARE, ":": _SPARE, "\\": values},
    )


def json_of_a_batch(settings: Settings) -> Bounds:
    """Return the bounds of JSON with the boards of a batch."""
    most = settings.max_batch
    values = _BATCH_VALUES * most + _SPARE
    lists, fields = _BATCH_LISTS * most + _SPARE, _BATCH_FIELDS * most + _SPARE
    return Bounds(settings.max_body_bytes, {",": values, "[": lists, ":": fields, "\\": values})


def form_of_a_board(settings: Settings) -> Bounds:
    """Return the bounds of a form with a board and its goal, in which each comma takes a ``%``."""
    cells = settings.max_cells
    size = 2 * _FORM_CELL_BYTES * cells + SMALL_BYTES
    return Bounds(
        min(size, settings.max_body_bytes),
        {"&": _FORM_FIELDS, "%": 2 * cells + _FORM_SPARE},
    )


def why_costly(body: bytes, bounds: Bounds) -> Message | None:
    """Return which sign stands too often in a body for it to be parsed; None where none does."""
    if len(body) <= SMALL_BYTES:
        return None
    counts = dict.fromkeys(bounds.signs, 0)
    signs = np.frombuffer(body, dtype=np.uint8)
    for begin in range(0, len(signs), _PART_BYTES):
        # Each part with the end of the one before, in which a number may begin.
        if _has_long_number(signs[max(0, begin - MOST_DIGITS) : begin + _PART_BYTES]):
            return Message(
                "body-digits",
                "the body has a number of more than {most} digits; nothing here is that large",
                most=MOST_DIGITS,
            )
        part = signs[begin : begin + _PART_BYTES]
        for sign, most in bounds.signs.items():
            counts[sign] += int(np.count_nonzero(part == ord(sign)))
            if counts[sign] > most:
                return Message(
                    "body-signs",
                    "{sign!r} stands more than {most} times in the body, which no board needs; "
                    "write large boards as text or as one list of tiles, and send no more of them "
                    "at once than are accepted",
                    sign=sign,
                    most=most,
                )
    return None


def _has_long_number(part: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> bool:
    """Whether there are 19 digits in a row: looks for runs of 2, of 4, of 8, of 16, of 19."""
    digits = (part - ord("0")) < 10
    if not digits.any():
        return False
    for step in (1, 2, 4, 8, 3):
        digits = digits[step:] & digits[:-step]
    return bool(digits.any())
