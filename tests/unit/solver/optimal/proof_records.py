"""Search a board in small slices, and record them as the service does."""

from collections.abc import Callable
from itertools import count

from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.slice import first_threshold, search_slice
from tilework.core.solver.result import SliceOutcome


def split_cursor(cursor: Cursor, splits: int) -> list[Cursor]:
    """Halve a cursor repeatedly, taking the parts in turn."""
    parts = [cursor]
    for turn in range(splits):
        halves = parts[turn % len(parts)].split()
        if halves is not None:
            parts.remove(parts[turn % len(parts)])
            parts += halves
    return parts


def make_slice_record(
    number: int, parent: int | None, cursor: Cursor, outcome: SliceOutcome
) -> SliceRecord:
    """Record a slice and its result."""
    return SliceRecord(
        id=number,
        parent=parent,
        cursor=cursor.to_bytes().hex(),
        nodes=outcome.nodes,
        next_threshold=outcome.next_threshold,
        engine=outcome.engine,
    )


def make_threshold_record(threshold: int, slices: list[SliceRecord]) -> ThresholdRecord:
    """Record a threshold with all its slices."""
    return ThresholdRecord(
        threshold=threshold,
        nodes=sum(record.nodes for record in slices),
        seconds=0.5,
        next=min(record.next_threshold for record in slices if record.next_threshold is not None),
        slices=slices,
    )


def record_thresholds(
    board: Board, goal: Board, budget: int, splits: Callable[[int], int]
) -> tuple[list[ThresholdRecord], Moves]:
    """Search all thresholds below the optimum; ``splits`` says how often to halve each slice."""
    threshold = first_threshold(board, goal)
    thresholds: list[ThresholdRecord] = []
    while True:
        numbers = count(1)
        waiting: list[tuple[int, int | None, Cursor]] = [(0, None, Cursor.root())]
        records = []
        while waiting:
            number, parent, cursor = waiting.pop(0)
            outcome = search_slice(board, goal, threshold, cursor, budget)
            if outcome.moves is not None:
                return thresholds, outcome.moves
            records.append(make_slice_record(number, parent, cursor, outcome))
            for unit in outcome.remaining:
                parts = split_cursor(Cursor.from_bytes(unit.cursor), splits(number))
                waiting += [(next(numbers), number, part) for part in parts]
        thresholds.append(make_threshold_record(threshold, records))
        threshold = thresholds[-1].next
