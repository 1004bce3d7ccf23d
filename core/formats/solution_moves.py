"""Solutions as moves: letters, runs of letters, tile numbers, words, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from tilework.core.formats.board_json import board_rows
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.hint import DIRECTIONS
from tilework.core.puzzle.metric import Metric, count_slides
from tilework.core.puzzle.moves import LETTERS, Moves, MoveSequence, to_letters
from tilework.core.puzzle.replay import moved_tiles

CHUNK_MOVES = 1 << 16


def format_letters(moves: MoveSequence) -> Iterator[str]:
    """Yield ``LULU…`` in chunks, without a newline."""
    for start in range(0, len(moves), CHUNK_MOVES):
        yield to_letters(moves[start : start + CHUNK_MOVES])


def format_runs(moves: MoveSequence) -> Iterator[str]:
    """Yield ``L2U…`` in chunks, without a newline."""
    last_code, last_length = 0, 0
    for start in range(0, len(moves), CHUNK_MOVES):
        chunk = moves[start : start + CHUNK_MOVES]
        begins = np.append(0, np.flatnonzero(chunk[1:] != chunk[:-1]) + 1)
        codes = chunk[begins].tolist()
        lengths = np.diff(begins, append=len(chunk)).tolist()
        if codes[0] == last_code:
            lengths[0] += last_length
        else:
            yield _format_run(last_code, last_length)
        # The last run may continue in the next chunk, so it is formatted later.
        last_code, last_length = codes.pop(), lengths.pop()
        yield "".join(map(_format_run, codes, lengths))
    yield _format_run(last_code, last_length)


def _format_run(code: int, length: int) -> str:
    if length == 1:
        return LETTERS[code]
    return f"{LETTERS[code]}{length}" if length else ""


def format_tiles(start: Board, moves: MoveSequence) -> Iterator[str]:
    separator = ""
    for numbers in moved_tiles(start, moves):
        yield separator + " ".join(map(str, numbers))
        separator = " "


_CHUNK_MOVES: Final = 1 << 14
# The blank moves in the opposite direction of the tile.
_BLANK_DIRECTIONS: Final = tuple(DIRECTIONS[code ^ 1] for code in range(4))
_CODES: Final = {word: code for code, word in enumerate(_BLANK_DIRECTIONS)}
_SEPARATORS: Final = r"[\s,;'\"\[\]()]*"
_LIST: Final = re.compile(
    rf"\[\s*\]|{_SEPARATORS}(?:(?:up|down|left|right)\b{_SEPARATORS})+", re.IGNORECASE
)
_WORD: Final = re.compile(r"[a-z]+", re.IGNORECASE)


def format_word_list(moves: MoveSequence) -> Iterator[str]:
    """Yield ``['up', 'right', …]`` in chunks, without a newline."""
    separator = "["
    for start in range(0, len(moves), _CHUNK_MOVES):
        chunk = moves[start : start + _CHUNK_MOVES].tolist()
        yield separator + ", ".join(repr(_BLANK_DIRECTIONS[code]) for code in chunk)
        separator = ", "
    yield "]" if len(moves) else "[]"


def read_word_list(text: str) -> Moves | None:
    """Parse a list of words; None for other texts."""
    if _LIST.fullmatch(text) is None:
        return None
    codes = [_CODES[word.lower()] for word in _WORD.findall(text)]
    return np.array(codes, dtype=np.uint8)


def format_solution_json(
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
    ``moves`` are written as given; ``named_by`` says whose directions they are. ``lower_bound`` and
    ``optimal`` refer to the metric. ``slides`` comes last because the moves are streamed.
    """
    # A local variable would keep an object for each tile until the end.
    yield (
        json.dumps(
            {
                "width": start.width,
                "height": start.height,
                "start": board_rows(start),
                "goal": board_rows(goal),
                "length": len(moves),
                "metric": metric.value,
                "lower_bound": lower_bound,
                "optimal": lower_bound == metric.length(moves),
                "named_by": "blank" if blank_moves else "tile",
            },
            separators=(",", ":"),
        )[:-1]
        + ',"moves":"'
    )
    yield from format_letters(moves)
    yield f'","slides":{count_slides(moves)}}}\n'
