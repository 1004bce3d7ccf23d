"""A solution as letters over ``UDLR``."""

from __future__ import annotations

from collections.abc import Iterator

from tilework.core.puzzle.moves import MoveSequence, to_letters

CHUNK_MOVES = 1 << 16


def letters(moves: MoveSequence) -> Iterator[str]:
    """Yield ``LULU…`` in pieces, without a newline at the end."""
    for start in range(0, len(moves), CHUNK_MOVES):
        yield to_letters(moves[start : start + CHUNK_MOVES])
