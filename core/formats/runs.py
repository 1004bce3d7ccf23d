"""A solution as runs: equal moves in a row as one letter and their number, as in ``R2D3LU``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tilework.core.puzzle.moves import LETTERS, MoveSequence

CHUNK_MOVES = 1 << 16


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
