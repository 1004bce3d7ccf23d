"""Checks the responses to clients and the stored rows, and measures the cost of kills."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from tools.chaos.clients import ApiClient
from tools.chaos.history import History, Job
from tools.chaos.puzzles import Puzzle
from tools.chaos.records import Records

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
