"""A solution as runs: equal moves in a row as one letter and their number, as in ``R2D3LU``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.puzzle.moves import LETTERS, Moves

CHUNK_RUNS = 1 << 14


def runs(moves: Moves) -> Iterator[str]:
    """Yield the runs in pieces, without a newline at the end; a run of one has no number."""
    ends = np.append(np.flatnonzero(moves[1:] != moves[:-1]) + 1, len(moves)) if len(moves) else []
    begin = 0
    for start in range(0, len(ends), CHUNK_RUNS):
        piece = []
        for end in ends[start : start + CHUNK_RUNS]:
            length = int(end) - begin
            piece.append(LETTERS[moves[begin]] + (str(length) if length > 1 else ""))
            begin = int(end)
        yield "".join(piece)
