"""Whether what the clients saw and what is stored is as it must be, and what kills have cost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from tools.chaos.load.boards import Puzzle
from tools.chaos.load.history import History, Job
from tools.chaos.load.visitor import Visit
from tools.chaos.system.database import Records

ENDS: Final = ("optimal", "bounded", "cancelled", "expired", "failed")

_WORKED: Final = (
    "SELECT finished_at FROM job WHERE finished_at IS NOT NULL AND NOT cached "
    "AND state IN ('optimal', 'bounded') "
    "UNION ALL SELECT time FROM bound_event "
    "UNION ALL SELECT updated_at FROM slice WHERE state = 'done'"
)
"""Times at which work was stored."""

_WAITED: Final = "SELECT created_at, finished_at FROM job WHERE NOT cached"

LOST: Final = ("record-damaged", "solution-withdrawn")
"""What is told of a job of which no more can be told."""

_FIXED: Final = (
    "state",
    "lower_bound",
    "upper_bound",
    "finished_at",
    "message_code",
    "nodes",
    "version",
)
"""What never changes once a job has ended."""


def read_all(client: Visit, history: History) -> dict[str, str]:
    """Look at every job once more; return the solutions of those that have one."""
    solutions = {}
    for job in history.jobs.values():
        answer = client.insist("GET", f"/api/v1/jobs/{job.id}?brief=true")
        if answer.status != 200:
            history.wrong(f"the accepted job {job.id} is answered {answer.status}")
            continue
        job.seen.append(answer.document)
        if job.seen[-1]["upper_bound"] is not None:
            moves = client.insist("GET", f"/api/v1/jobs/{job.id}/solution?format=udlr")
            if moves.status == 200:
                solutions[job.id] = moves.body.decode().strip()
            # Of damaged rows it is asking for the moves that may bring them to light.
            again = client.insist("GET", f"/api/v1/jobs/{job.id}?brief=true")
            job.seen.append(again.document)
    return solutions


def note_damage(records: Records, history: History) -> None:
    """Mark the jobs whose row, or that of their solve, was damaged."""
    for row in records.rows("SELECT id, solve_id FROM job"):
        if row.id in history.jobs and {row.id, row.solve_id} & history.damaged_rows:
            history.jobs[row.id].damaged = True


def wrongs_of(job: Job, moves: str | None) -> Iterator[str]:
    """Tell what is wrong with a job that should have ended."""
    last = job.seen[-1]
    state, lower, upper = last["state"], last["lower_bound"], last["upper_bound"]
    if state not in ENDS:
        yield f"has not ended: {state}"
        return
    yield from _wrong_answers(job)
    if job.damaged and last["message_code"] in LOST:
        # Nothing is told of it any more, which is the truth.
        return
    if not job.damaged:
        yield from _wrong_course(job.seen)
    if state == "cancelled" and not job.cancelled_by_owner:
        yield "was cancelled, and not by who had posted it"
    if state == "expired" and job.time_limit_s is None:
        yield "expired without a limit"
    short = last["message_code"] == "quarantined"
    if state == "failed" and not (job.poisoned and short):
        yield f"failed: {last['message']}"
    if state == "bounded" and job.time_limit_s is None and not short:
        yield f"ended bounded without a limit: {last['message']}"
    if upper is not None and (moves is None or not solves(job.puzzle, moves)):
        yield "has a solution that does not solve its board"
    elif upper is not None and moves is not None and len(moves) > upper:
        yield f"has {len(moves)} moves for an upper bound of {upper}"
    if state == "optimal" and not (moves is not None and lower == upper == len(moves)):
        yield f"is optimal with the bounds {lower} and {upper}"


def _wrong_answers(job: Job) -> Iterator[str]:
    """Tell the bounds that were ever told and are not true."""
    length, most = job.puzzle.length, job.puzzle.most
    for lower, upper in {(seen["lower_bound"], seen["upper_bound"]) for seen in job.seen}:
        if length is not None and not (lower <= length and (upper is None or length <= upper)):
            yield f"takes {length} moves, and its bounds are {lower} and {upper}"
        if most is not None and lower > most:
            yield f"takes at most {most} moves, and its lower bound is {lower}"


def _wrong_course(seen: list[dict[str, Any]]) -> Iterator[str]:
    """Tell where bounds got worse, or anything changed after the end."""
    for before, after in pairwise(seen):
        if before["finished_at"] is not None:
            for name in _FIXED:
                if before[name] != after[name]:
                    yield f"changed its {name} after its end: {before[name]}, {after[name]}"
        if after["lower_bound"] < before["lower_bound"]:
            yield f"has a lower bound that fell to {after['lower_bound']}"
        if before["upper_bound"] is not None and (
            after["upper_bound"] is None or after["upper_bound"] > before["upper_bound"]
        ):
            yield f"has an upper bound that rose to {after['upper_bound']}"


def wrongs_of_rows(records: Records, history: History) -> Iterator[str]:
    rows = {row.id: row for row in records.rows("SELECT * FROM job")}
    for job in history.jobs.values():
        row = rows.get(job.id)
        if row is None:
            yield f"the job {job.id} was accepted and is not stored"
            continue
        last = job.seen[-1] if job.seen else {}
        if job.damaged:
            continue
        for name in ("state", "lower_bound", "upper_bound", "finished_at"):
            if last.get(name) != getattr(row, name):
                yield f"the row of {job.id} has another {name} than was told"
    for row in rows.values():
        if row.state not in ENDS:
            yield f"the stored job {row.id} has not ended: {row.state}"
    yield from _wrong_bounds(records, history)
    yield from _wrong_slices(records)


def _wrong_bounds(records: Records, history: History) -> Iterator[str]:
    events = records.rows(
        "SELECT solve_id, lower_bound, upper_bound FROM bound_event ORDER BY solve_id, number"
    )
    for before, after in pairwise(events):
        if before.solve_id in history.damaged_rows:
            # What was known of it was thrown away.
            continue
        if before.solve_id == after.solve_id and (
            after.lower_bound < before.lower_bound
            or (before.upper_bound or after.upper_bound or 0) < (after.upper_bound or 0)
        ):
            yield f"bounds of {after.solve_id} got worse: {before[1:]}, then {after[1:]}"


def _wrong_slices(records: Records) -> Iterator[str]:
    doubled = records.rows(
        "SELECT solve_id, threshold, count(*) FROM slice WHERE kind = 'search' AND state = 'done' "
        "GROUP BY solve_id, epoch, threshold, cursor HAVING count(*) > 1"
    )
    for row in doubled:
        yield f"a slice of {row.solve_id} under {row.threshold} was counted {row[2]} times"
    held = records.rows("SELECT id, kind, owner FROM slice WHERE state = 'leased'")
    for row in held:
        yield f"the slice {row.id} ({row.kind}) is still held by {row.owner}"


def solves(puzzle: Puzzle, letters: str) -> bool:
    """Whether some moves, each named by the way its tile goes, bring a board to its goal.

    It shares nothing with what found them.
    """
    side, tiles = puzzle.side, list(puzzle.tiles)
    blank = tiles.index(0)
    for letter in letters:
        row, column = divmod(blank, side)
        # The tile comes from the other side of the blank.
        row += {"U": 1, "D": -1}.get(letter, 0)
        column += {"L": 1, "R": -1}.get(letter, 0)
        tile = row * side + column
        if not (0 <= row < side and 0 <= column < side) or tile == blank:
            return False
        tiles[blank], tiles[tile] = tiles[tile], 0
        blank = tile
    return tiles == [*range(1, side * side), 0]


def standstills(records: Records, history: History) -> list[float]:
    """Return for each kill how long it took until work was stored again (seconds).

    Where nobody waited for anything, the clock begins with the next job.
    """
    worked = sorted(row[0] for row in records.rows(_WORKED))
    waited = records.rows(_WAITED)
    found = []
    for kill in history.kills:
        begin = min(
            (max(kill.at, row[0]) for row in waited if row[1] is None or row[1] > kill.at),
            default=None,
        )
        after = bisect_right(worked, begin) if begin is not None else len(worked)
        if begin is not None and after < len(worked):
            found.append(worked[after] - begin)
    return found


def lost_share(records: Records, history: History) -> float:
    """Return how much of all search was under way at kills and had to be done again (percent)."""
    stored = records.rows(
        "SELECT coalesce(sum(seconds), 0) FROM slice WHERE kind = 'search' AND state = 'done'"
    )[0][0]
    lost = sum(kill.lost_s for kill in history.kills)
    return 100.0 * lost / (lost + stored) if lost else 0.0
