"""Boards of 3×2 for batches, and a batch of them."""

from __future__ import annotations

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.jobs.submission import BatchSubmission

GOAL = blank_last(Size(3, 2))
BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in range(5)]


def send(house, boards, **options):
    items = [(board, GOAL) for board in boards]
    return house.submit_batch(BatchSubmission(items=items, client_id=house.client, **options))
