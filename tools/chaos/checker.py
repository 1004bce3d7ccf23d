"""Check what the clients saw and what is stored, and measure what kills cost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from tools.chaos.clients import ApiClient
from tools.chaos.history import History, Job
from tools.chaos.puzzles import Puzzle
from tools.chaos.system.records import Records

ENDS: Final = ("optimal", "bounded", "cancelled", "expired", "failed")

LOST: Final = ("record-damaged", "solution-withdrawn")
"""Message codes of jobs whose result was lost with a damaged row."""

_PROGRESS_TIMES: Final = (
    "SELECT finished_at FROM job WHERE finished_at IS NOT NULL AND NOT cached "
    "AND state IN ('optimal', 'bounded') "
    "UNION ALL SELECT time FROM bound_event "
    "UNION ALL SELECT updated_at FROM slice WHERE state = 'done'"
)
_JOB_TIMES: Final = "SELECT created_at, finished_at FROM job WHERE NOT cached"
_STORED: Final = ("state", "lower_bound", "upper_bound", "finished_at")
_FINAL: Final = (*_STORED, "message_code", "nodes", "version")
"""What must not change once a job has ended."""


def read_all(client: ApiClient, history: History) -> dict[str, str]:
    """Read every job once more; return the solutions by job."""
    solutions = {}
    for job in history.jobs.values():
        response = client.retry("GET", f"/api/v1/jobs/{job.id}?brief=true")
        if response.status != 200:
            history.add_error(f"the accepted job {job.id} is answered {response.status}")
            continue
        job.seen.append(response.document)
        if job.seen[-1]["upper_bound"] is not None:
            moves = client.retry("GET", f"/api/v1/jobs/{job.id}/solution?format=udlr")
            if moves.status == 200:
                solutions[job.id] = moves.body.decode().strip()
            # Reading the moves of a damaged row may reveal the damage.
            repeated = client.retry("GET", f"/api/v1/jobs/{job.id}?brief=true")
            job.seen.append(repeated.document)
    return solutions


def mark_damaged(records: Records, history: History) -> None:
    """Mark the jobs whose row, or that of their solve, was damaged."""
    for row in records.rows("SELECT id, solve_id FROM job"):
        if row.id in history.jobs and {row.id, row.solve_id} & history.damaged_rows:
            history.jobs[row.id].damaged = True


def find_job_errors(job: Job, moves: str | None) -> Iterator[str]:
    """Yield what is wrong with a job that should have ended."""
    last = job.seen[-1]
    state, lower, upper = last["state"], last["lower_bound"], last["upper_bound"]
    if state not in ENDS:
        yield f"has not ended: {state}"
        return
    yield from _find_wrong_bounds(job)
    if job.damaged and last["message_code"] in LOST:
        return
    if not job.damaged:
        yield from _find_wrong_changes(job.seen)
    if state == "cancelled" and not job.cancelled_by_owner:
        yield "was cancelled, but not by its owner"
    if state == "expired" and job.time_limit_s is None:
        yield "expired without a limit"
    quarantined = last["message_code"] == "quarantined"
    if state == "failed" and not (job.poisoned and quarantined):
        yield f"failed: {last['message']}"
    if state == "bounded" and job.time_limit_s is None and not quarantined:
        yield f"ended bounded without a limit: {last['message']}"
    if upper is not None and (moves is None or not solves(job.puzzle, moves)):
        yield "has a solution that does not solve its board"
    elif upper is not None and moves is not None and len(moves) > upper:
        yield f"has {len(moves)} moves for an upper bound of {upper}"
    if state == "optimal" and not (moves is not None and lower == upper == len(moves)):
        yield f"is optimal with the bounds {lower} and {upper}"


def _find_wrong_bounds(job: Job) -> Iterator[str]:
    length, max_length = job.puzzle.length, job.puzzle.max_length
    for lower, upper in {(seen["lower_bound"], seen["upper_bound"]) for seen in job.seen}:
        if length is not None and not (lower <= length and (upper is None or length <= upper)):
            yield f"takes {length} moves, and its bounds are {lower} and {upper}"
        if max_length is not None and lower > max_length:
            yield f"takes at most {max_length} moves, and its lower bound is {lower}"


def _find_wrong_changes(seen: list[dict[str, Any]]) -> Iterator[str]:
    """Yield bounds that got worse, and changes after the end."""
    for before, after in pairwise(seen):
        if before["finished_at"] is not None:
            for name in _FINAL:
                if before[name] != after[name]:
                    yield f"changed its {name} after its end: {before[name]}, {after[name]}"
        if after["lower_bound"] < before["lower_bound"]:
            yield f"has a lower bound that fell to {after['lower_bound']}"
        if before["upper_bound"] is not None and (
            after["upper_bound"] is None or after["upper_bound"] > before["upper_bound"]
        ):
            yield f"has an upper bound that rose to {after['upper_bound']}"


def find_row_errors(records: Records, history: History) -> Iterator[str]:
    """Yield differences between the rows and the last answers, and rows that cannot be right."""
    rows = {row.id: row for row in records.rows("SELECT * FROM job")}
    for job in history.jobs.values():
        if job.id not in rows:
            yield f"the job {job.id} was accepted and is not stored"
        elif not job.damaged:
            last = job.seen[-1] if job.seen else {}
            for name in _STORED:
                if last.get(name) != getattr(rows[job.id], name):
                    yield f"the row of {job.id} differs from its answer in {name}"
    for row in rows.values():
        if row.state not in ENDS:
            yield f"the stored job {row.id} has not ended: {row.state}"
    events = records.rows(
        "SELECT solve_id, lower_bound, upper_bound FROM bound_event ORDER BY solve_id, number"
    )
    for before, after in pairwise(events):
        # The bounds of a damaged solve were discarded.
        if before.solve_id == after.solve_id and before.solve_id not in history.damaged_rows:
            upper_rose = (before.upper_bound or after.upper_bound or 0) < (after.upper_bound or 0)
            if after.lower_bound < before.lower_bound or upper_rose:
                yield f"bounds of {after.solve_id} got worse: {before[1:]}, then {after[1:]}"
    duplicates = records.rows(
        "SELECT solve_id, threshold, count(*) FROM slice WHERE kind = 'search' AND state = 'done' "
        "GROUP BY solve_id, epoch, threshold, cursor HAVING count(*) > 1"
    )
    for row in duplicates:
        yield f"a slice of {row.solve_id} under {row.threshold} was counted {row[2]} times"
    for row in records.rows("SELECT id, kind, owner FROM slice WHERE state = 'leased'"):
        yield f"the slice {row.id} ({row.kind}) is still held by {row.owner}"


def solves(puzzle: Puzzle, letters: str) -> bool:
    """Play moves, each named by the direction of its tile; the solver shares none of this code."""
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


def standstills(records: Records, history: History) -> list[float]:
    """Return the seconds from each kill until work was stored again.

    If no job was unfinished, the time starts with the next job.
    """
    progress = sorted(row[0] for row in records.rows(_PROGRESS_TIMES))
    jobs = records.rows(_JOB_TIMES)
    durations = []
    for kill in history.kills:
        start = min(
            (max(kill.at, row[0]) for row in jobs if row[1] is None or row[1] > kill.at),
            default=None,
        )
        after = bisect_right(progress, start) if start is not None else len(progress)
        if start is not None and after < len(progress):
            durations.append(progress[after] - start)
    return durations


def lost_percent(records: Records, history: History) -> float:
    """Return the share of search time that kills lost and that was repeated."""
    seconds = records.rows(
        "SELECT coalesce(sum(seconds), 0) FROM slice WHERE kind = 'search' AND state = 'done'"
    )[0][0]
    lost = sum(kill.lost_s for kill in history.kills)
    return 100.0 * lost / (lost + seconds) if lost else 0.0
