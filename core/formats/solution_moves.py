"""Solutions as moves: letters, runs of letters, tile numbers, words, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from tilework.core.formats.board_json import board_rows
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric, count_slides
from tilework.core.puzzle.moves import LETTERS, Moves, MoveSequence, to_letters
from tilework.core.puzzle.replay import moved_tiles

CHUNK_MOVES = 1 << 16


def letters(moves: MoveSequence) -> Iterator[str]:
    """Yield ``LULU…`` in pieces, without a newline at the end."""
    for start in range(0, len(moves), CHUNK_MOVES):
        yield to_letters(moves[start : start + CHUNK_MOVES])


def runs(moves: MoveSequence) -> Iterator[str]:
    """Yield the runs in pieces, without a newline at the end; a run of one has no number."""
    last_code, last_length = 0, 0
    for start in range(0, len(moves), CHUNK_MOVES):
        chunk = moves[start : start + CHUNK_MOVES]
        begins = np.append(0, np.flatnonzero(chunk[1:] != chunk[:-1]) + 1)
        codes = chunk[begins].tolist()
        lengths = np.diff(begins, append=len(chunk)).tolist()
        if codes[0] == last_code:
            lengths[0] += last_length
        else:
            yield _run(last_code, last_length)
        # The last run may go on in the next chunk.
        last_code, last_length = codes.pop(), lengths.pop()
        yield "".join(map(_run, codes, lengths))
    yield _run(last_code, last_length)


def _run(code: int, length: int) -> str:
    if length == 1:
        return LETTERS[code]
    return f"{LETTERS[code]}{length}" if length else ""


def tiles(start: Board, moves: MoveSequence) -> Iterator[str]:
    gap = ""
    for numbers in moved_tiles(start, moves):
        yield gap + " ".join(map(str, numbers))
        gap = " "


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


def solution_json(
    start: Board,
    moves: MoveSequence,
    goal: Board,
    lower_bound: int | None,
    *,
    metric: Metric,
    blank_moves: bool,
) -> Iterator[str]:
    """Yield one JSON object.

    It has ``width height start goal length metric lower_bound optimal named_by moves slides``.
    ``moves`` are written as given; ``named_by`` says whether that is by the blank's way. ``slides``
    are counted once the moves have gone by; bound and ``optimal`` are of what the metric counts.
    """
    head = {
        "width": start.width,
        "height": start.height,
        "start": board_rows(start),
        "goal": board_rows(goal),
        "length": len(moves),
        "metric": metric.value,
        "lower_bound": lower_bound,
        "optimal": lower_bound == metric.length(moves),
        "named_by": "blank" if blank_moves else "tile",
    }
    yield json.dumps(head, separators=(",", ":"))[:-1] + ',"moves":"'
    yield from letters(moves)
    yield f'","slides":{count_slides(moves)}}}\n'
