"""A solution as notebooks print it: a Python list of words, each the way that the blank goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from tilework.core.puzzle.moves import Moves, MoveSequence

_CHUNK_MOVES: Final = 1 << 14
_TILE_WAYS: Final = ("up", "down", "left", "right")
# The blank goes the other way than the tile.
_BLANK_WAYS: Final = tuple(_TILE_WAYS[code ^ 1] for code in range(4))
_CODES: Final = {word: code for code, word in enumerate(_BLANK_WAYS)}
_BETWEEN: Final = r"[\s,;'\"\[\]()]*"
_LIST: Final = re.compile(
    rf"\[\s*\]|{_BETWEEN}(?:(?:up|down|left|right)\b{_BETWEEN})+", re.IGNORECASE
)
_WORD: Final = re.compile(r"[a-z]+", re.IGNORECASE)


def word_list(moves: MoveSequence) -> Iterator[str]:
    """Yield ``['up', 'right', …]`` in pieces, without a newline at the end."""
    before = "["
    for start in range(0, len(moves), _CHUNK_MOVES):
        chunk = moves[start : start + _CHUNK_MOVES].tolist()
        yield before + ", ".join(repr(_BLANK_WAYS[code]) for code in chunk)
        before = ", "
    yield "]" if len(moves) else "[]"


def read_word_list(text: str) -> Moves | None:
    """Return the moves, by the tile's way; None where the text is no list of such words."""
    if _LIST.fullmatch(text) is None:
        return None
    codes = [_CODES[word.lower()] for word in _WORD.findall(text)]
    return np.array(codes, dtype=np.uint8)
