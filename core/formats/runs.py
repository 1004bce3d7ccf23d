"""A solution as runs: equal moves in a row as one letter and their number, as in ``R2D3LU``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.puzzle.moves import LETTERS, Moves

CHUNK_MOVES = 1 << 16


def runs(moves: Moves) -> Iterator[str]:
    """Yield the runs in pieces, without a newline at the end; a run of one has no number."""
    open_code, open_length = 0, 0
    for start in range(0, len(moves), CHUNK_MOVES):
        chunk = moves[start : start + CHUNK_MOVES]
        begins = np.append(0, np.flatnonzero(chunk[1:] != chunk[:-1]) + 1)
        lengths = np.diff(begins, append=len(chunk)).tolist()
        written = []
        for code, length in zip(chunk[begins].tolist(), lengths, strict=True):
            if code == open_code:
                open_length += length
            else:
                written.append(_run(open_code, open_length))
                open_code, open_length = code, length
        yield "".join(written)
    yield _run(open_code, open_length)


def _run(code: int, length: int) -> str:
    return LETTERS[code] * min(length, 1) + (str(length) if length > 1 else "")
