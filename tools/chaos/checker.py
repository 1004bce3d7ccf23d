"""Checks the responses to clients, the stored rows and the counted nodes; measures kills."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import Canonical, canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.optimal.cursor import Cursor, CursorDifference, difference
from tilework.core.solver.optimal.slice import search_slice
from tools.chaos.clients import ApiClient
from tools.chaos.history import History, Job
from tools.chaos.puzzles import Puzzle
from tools.chaos.system import Records

FINAL_STATES: Final = ("optimal", "bounded", "cancelled", "expired", "failed")

LOST_RESULT_CODES: Final = ("record-damaged", "solution-withdrawn")
"""Message codes of jobs whose result was lost because a row was damaged."""

_PROGRESS_TIMES: Final = (
    "SELECT finished_at FROM job WHERE finished_at IS NOT NULL AND NOT cached "
    "AND state IN ('optimal', 'bounded') "
    "UNION ALL SELECT time FROM bound_event "
    "UNION ALL SELECT updated_at FROM slice WHERE state = 'done'"
)
_JOB_TIMES: Final = "SELECT created_at, finished_at FROM job WHERE NOT cached"
_STORED_FIELDS: Final = ("state", "lower_bound", "upper_bound", "finished_at")
_FINAL_FIELDS: Final = (*_STORED_FIELDS, "message_code", "nodes", "version")
"""The fields that must not change once a job has ended."""


def read_all(client: ApiClient, history: History) -> dict[str, str]:
    """Read every job again; return the solutions by job."""
    solutions = {}
    for job in history.jobs.values():
        response = client.retry("GET", f"/api/v1/jobs/{job.id}?brief=true")
        if response.status != 200:
            history.add_error(f"the accepted job {job.id} is answered with {response.status}")
            continue
        job.documents.append(response.document)
        if job.documents[-1]["upper_bound"] is not None:
            moves = client.retry("GET", f"/api/v1/jobs/{job.id}/solution?format=udlr")
            if moves.status == 200:
                solutions[job.id] = moves.body.decode().strip()
            # Reading the moves of a damaged row may reveal the damage.
            response = client.retry("GET", f"/api/v1/jobs/{job.id}?brief=true")
            job.documents.append(response.document)
    return solutions


def mark_damaged(records: Records, history: History) -> None:
    """Mark the jobs whose solve was damaged."""
    for row in records.rows("SELECT id, solve_id FROM job"):
        if row.id in history.jobs and row.solve_id in history.damaged_rows:
            history.jobs[row.id].damaged = True


def find_job_errors(job: Job, moves: str | None) -> Iterator[str]:
    """Yield the errors of a job that should have ended."""
    last = job.documents[-1]
    state, lower, upper = last["state"], last["lower_bound"], last["upper_bound"]
    if state not in FINAL_STATES:
        yield f"has not ended: {state}"
        return
    yield from _find_wrong_bounds(job)
    if job.damaged and last["message_code"] in LOST_RESULT_CODES:
        return
    if not job.damaged:
        yield from _find_wrong_changes(job.documents)
    if state == "cancelled" and not job.cancelled_by_owner:
        yield "was cancelled, but not by its owner"
    if state == "expired" and job.time_limit_s is None:
        yield "expired without a limit"
    is_quarantined = last["message_code"] == "quarantined"
    if state == "failed" and not (job.poisoned and is_quarantined):
        yield f"failed: {last['message']}"
    if state == "bounded" and job.time_limit_s is None and not is_quarantined:
        yield f"ended bounded without a limit: {last['message']}"
    if upper is not None and (moves is None or not is_solution(job.puzzle, moves)):
        yield "has a solution that does not solve its board"
    elif upper is not None and moves is not None and len(moves) > upper:
        yield f"has {len(moves)} moves for an upper bound of {upper}"
    if state == "optimal" and not (moves is not None and lower == upper == len(moves)):
        yield f"is optimal with the bounds {lower} and {upper}"


def _find_wrong_bounds(job: Job) -> Iterator[str]:
    length, max_length = job.puzzle.length, job.puzzle.max_length
    bounds = {(document["lower_bound"], document["upper_bound"]) for document in job.documents}
    for lower, upper in bounds:
        if length is not None and not (lower <= length and (upper is None or length <= upper)):
            yield f"takes {length} moves, and its bounds are {lower} and {upper}"
        if max_length is not None and lower > max_length:
            yield f"takes at most {max_length} moves, and its lower bound is {lower}"


def _find_wrong_changes(documents: list[dict[str, Any]]) -> Iterator[str]:
    """Yield figures that became worse, and changes after the end."""
    for earlier, later in pairwise(documents):
        if earlier["finished_at"] is not None:
            for name in _FINAL_FIELDS:
                if earlier[name] != later[name]:
                    yield f"changed its {name} after its end: {earlier[name]}, {later[name]}"
        for name in ("lower_bound", "nodes"):
            if later[name] < earlier[name]:
                yield f"has a value of {name} that fell from {earlier[name]} to {later[name]}"
        if earlier["upper_bound"] is not None and (
            later["upper_bound"] is None or later["upper_bound"] > earlier["upper_bound"]
        ):
            yield f"has an upper bound that rose to {later['upper_bound']}"


def find_row_errors(records: Records, history: History) -> Iterator[str]:
    """Yield differences between the rows and the last responses, and rows that must be wrong."""
    rows = {row.id: row for row in records.rows("SELECT * FROM job")}
    for job in history.jobs.values():
        if job.id not in rows:
            yield f"the job {job.id} was accepted and is not stored"
        elif not job.damaged:
            last = job.documents[-1] if job.documents else {}
            for name in _STORED_FIELDS:
                if last.get(name) != getattr(rows[job.id], name):
                    yield f"the row of {job.id} differs from the response in {name}"
    for row in rows.values():
        if row.state not in FINAL_STATES:
            yield f"the stored job {row.id} has not ended: {row.state}"
    events = records.rows(
        "SELECT solve_id, lower_bound, upper_bound FROM bound_event ORDER BY solve_id, number"
    )
    for earlier, later in pairwise(events):
        # The bounds of a damaged solve were discarded.
        if earlier.solve_id == later.solve_id and earlier.solve_id not in history.damaged_rows:
            upper_rose = (earlier.upper_bound or later.upper_bound or 0) < (later.upper_bound or 0)
            if later.lower_bound < earlier.lower_bound or upper_rose:
                yield f"bounds of {later.solve_id} got worse: {earlier[1:]}, then {later[1:]}"
    duplicates = records.rows(
        "SELECT solve_id, threshold, count(*) FROM slice WHERE kind = 'search' AND state = 'done' "
        "GROUP BY solve_id, epoch, threshold, cursor HAVING count(*) > 1"
    )
    for row in duplicates:
        yield f"a slice of {row.solve_id} under {row.threshold} was counted {row[2]} times"
    for row in records.rows("SELECT id, kind, owner FROM slice WHERE state = 'leased'"):
        yield f"the slice {row.id} ({row.kind}) is still leased to {row.owner}"


def is_solution(puzzle: Puzzle, letters: str) -> bool:
    """Whether moves, named by the tile's direction, solve a puzzle; uses no code of the solver."""
    side, tiles = puzzle.side, list(puzzle.tiles)
    blank = tiles.index(0)
    for letter in letters:
        row, column = divmod(blank, side)
        # The tile comes from the opposite side of the blank.
        row += {"U": 1, "D": -1}.get(letter, 0)
        column += {"L": 1, "R": -1}.get(letter, 0)
        tile = row * side + column
        if not (0 <= row < side and 0 <= column < side) or tile == blank:
            return False
        tiles[blank], tiles[tile] = tiles[tile], 0
        blank = tile
    return tiles == [*range(1, side * side), 0]


def measure_standstills(records: Records, history: History) -> list[float]:
    """Return the seconds from each kill until work was stored again.

    If no job was unfinished, the time starts when the next job is created.
    """
    progress = sorted(row[0] for row in records.rows(_PROGRESS_TIMES))
    jobs = records.rows(_JOB_TIMES)
    durations = []
    for kill in history.kills:
        start = min(
            (max(kill.time, row[0]) for row in jobs if row[1] is None or row[1] > kill.time),
            default=None,
        )
        index = bisect_right(progress, start) if start is not None else len(progress)
        if start is not None and index < len(progress):
            durations.append(progress[index] - start)
    return durations


def measure_small_jobs(history: History) -> list[float]:
    """Return the seconds from the creation to the end of each 3×3 board that was not yet known."""
    return [
        job.documents[-1]["finished_at"] - job.documents[0]["created_at"]
        for job in history.jobs.values()
        if job.puzzle.side == 3
        and job.documents
        and job.documents[0]["finished_at"] is None
        and job.documents[-1]["state"] == "optimal"
    ]


def measure_lost_percent(records: Records, history: History) -> float:
    """Return the percentage of search time that was lost by kills and had to be repeated."""
    seconds = records.rows(
        "SELECT coalesce(sum(seconds), 0) FROM slice WHERE kind = 'search' AND state = 'done'"
    )[0][0]
    lost_s = sum(kill.lost_s for kill in history.kills)
    return 100.0 * lost_s / (lost_s + seconds) if lost_s else 0.0


MAX_NODES: Final = 30_000_000
"""The maximum nodes of a threshold that is searched again."""

THRESHOLDS: Final = (
    "SELECT slice.solve_id AS solve, slice.epoch AS epoch, slice.threshold AS threshold, "
    "sum(slice.nodes) AS nodes, "
    "min(slice.engine) AS engine, max(slice.engine) AS other, count(*) AS slices "
    "FROM slice JOIN solve ON solve.id = slice.solve_id WHERE slice.kind = 'search' "
    "AND slice.state = 'done' AND slice.threshold < solve.lower_bound "
    "GROUP BY slice.solve_id, slice.epoch, slice.threshold "
    "HAVING sum(slice.nodes) < :max_nodes ORDER BY count(*) DESC, slice.solve_id, slice.threshold"
)

SLICES: Final = (
    "SELECT id, parent_id AS parent, cursor FROM slice WHERE kind = 'search' AND state = 'done' "
    "AND solve_id = :solve AND epoch = :epoch AND threshold = :threshold"
)


def find_wrong_counts(
    records: Records, history: History, pdb_folder: Path, limit: int, seed: int
) -> Iterator[str]:
    """Search some exhausted thresholds again; yield those with a different number of nodes.

    Half of them are the thresholds with the most slices, which were interrupted most often.
    """
    puzzles = {}
    for row in records.rows("SELECT id, solve_id FROM job"):
        # A damaged solve may keep slices of an unfinished threshold.
        if row.id in history.jobs and row.solve_id not in history.damaged_rows:
            puzzles[row.solve_id] = history.jobs[row.id].puzzle
    rows = [
        row
        for row in records.rows(THRESHOLDS, max_nodes=MAX_NODES)
        if row.solve in puzzles and row.engine is not None and row.engine == row.other
    ]
    sample, others = rows[: limit // 2], rows[limit // 2 :]
    sample += random.Random(seed).sample(others, min(len(others), limit - len(sample)))
    history.answers["counted again"] += len(sample)
    for row in sample:
        puzzle = puzzles[row.solve]
        size = Size(puzzle.side, puzzle.side)
        form = canonicalize(Board(puzzle.tiles, puzzle.side, puzzle.side), blank_last(size))
        slices = records.rows(SLICES, solve=row.solve, epoch=row.epoch, threshold=row.threshold)
        split = _split_tree(slices, form)
        if split is None:
            yield f"the slices of {row.solve} under {row.threshold} do not cover its tree once"
            continue
        first, remaining = split
        nodes = first.inner_nodes + sum(
            search_slice(
                *(form.board, form.goal, row.threshold, cursor, 2**62),
                pdb_folder=pdb_folder,
                engine=row.engine,
            ).nodes
            for cursor in (first.residual, remaining)
        )
        if nodes != row.nodes:
            yield (
                f"{row.slices} slices of {row.solve} under {row.threshold} count {row.nodes} "
                f"nodes, and one search of it {nodes}"
            )


def _split_tree(slices: list[Any], form: Canonical) -> tuple[CursorDifference, Cursor] | None:
    """Return the part that the first slice of a threshold searched, and the remaining part.

    A single search of the whole tree cannot be compared: the first slice of a long threshold orders
    the subtrees, and may use the tree from the goal instead. Then subtrees are searched even below
    nodes above the threshold.
    """
    roots = [slice_ for slice_ in slices if slice_.parent is None]
    if len(roots) != 1:
        return None
    cursors = [
        Cursor.from_bytes(bytes(slice_.cursor)) for slice_ in slices if slice_.parent == roots[0].id
    ]
    root = Cursor.from_bytes(bytes(roots[0].cursor))
    first = difference(root, cursors, form.board, form.goal)
    if first is None:
        return None
    positions = tuple(position for cursor in cursors for position in cursor.positions)
    return first, Cursor(positions, first.residual.goal_blank)
