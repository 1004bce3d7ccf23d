"""Which columns are sealed, and the check of rows as they are read.

Sealed is what answers and proofs rest on, and what nothing else would tell from damage: moves are
replayed, and the boards of a solve are what its key says. Not sealed is what only orders work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilework.core.errors import DamagedRowError
from tilework.core.model.states import ACTIVE_JOB_STATES, Queue
from tilework.core.storage.damage.misfits import fits
from tilework.core.storage.damage.seals import Seal
from tilework.core.storage.models import job, slice_, solution_chunk, solve

SOLVE = Seal(
    solve.c.id,
    solve.c.key,
    solve.c.width,
    solve.c.height,
    solve.c.lower_bound,
    solve.c.upper_bound,
    solve.c.state,
    solve.c.threshold,
    solve.c.next_threshold,
    solve.c.covered,
    solve.c.epoch,
    solve.c.nodes,
    solve.c.seconds,
    solve.c.client_id,
    solve.c.engine,
    solve.c.wall_s,
    solve.c.recent_nodes,
    solve.c.recent_s,
    solve.c.rate_at,
    solve.c.pending,
    solve.c.iterations,
    solve.c.tried,
    solve.c.improvement,
)
SOLVE_COLUMNS = (*SOLVE.columns, solve.c.seal)
CHUNK = Seal(solution_chunk.c.solve_id, solution_chunk.c.number, solution_chunk.c.data)
SLICE = Seal(
    slice_.c.id,
    slice_.c.solve_id,
    slice_.c.epoch,
    slice_.c.kind,
    slice_.c.threshold,
    slice_.c.algorithm,
    slice_.c.heuristic,
    slice_.c.target,
    slice_.c.gap,
    slice_.c.share,
    slice_.c.parent_id,
    slice_.c.cursor,
)
SLICE_END = Seal(
    slice_.c.id, slice_.c.nodes, slice_.c.next_threshold, slice_.c.engine, slice_.c.seconds
)
JOB = Seal(
    job.c.id,
    job.c.client_id,
    job.c.solve_id,
    job.c.batch_id,
    job.c.batch_index,
    job.c.width,
    job.c.height,
    job.c.target,
    job.c.gap,
    job.c.algorithm,
    job.c.heuristic,
    job.c.time_limit_s,
    job.c.deadline,
    job.c.created_at,
    job.c.transform,
    later=(job.c.metric,),
)
JOB_BOARDS = Seal(job.c.id, job.c.board, job.c.goal)
JOB_END = Seal(job.c.id, job.c.state, job.c.lower_bound, job.c.upper_bound, job.c.finished_at)
JOB_TOLD = Seal(
    job.c.id,
    job.c.message,
    job.c.nodes,
    job.c.wall_s,
    job.c.threshold,
    job.c.covered,
    job.c.engine,
)
# What is needed to check a job, but for its boards.
JOB_COLUMNS = (
    *JOB.columns,
    job.c.seal,
    *JOB_END.columns,
    job.c.end_seal,
    *JOB_TOLD.columns,
    job.c.told_seal,
    job.c.queue,
    job.c.version,
    job.c.started_at,
)
_FACTS = len(SOLVE.columns)
_LOWER, _UPPER = (SOLVE.columns.index(one) for one in (solve.c.lower_bound, solve.c.upper_bound))
_JOB_FACTS = len(JOB.columns)
_JOB_END = _JOB_FACTS + 1 + len(JOB_END.columns)
_JOB_TOLD = _JOB_END + 1 + len(JOB_TOLD.columns)
_UNFINISHED = frozenset(map(str, ACTIVE_JOB_STATES))
QUEUES = frozenset(map(str, Queue))
"""What a queue may be."""


def check_both(values: Sequence[Any]) -> None:
    """Check values of `JOB_COLUMNS` and of `SOLVE_COLUMNS`; not every job has a solve.

    Raises
    ------
    DamagedRowError
        Here and below, unless they are what was written.
    """
    check_job(values[: len(JOB_COLUMNS)])
    if (of_solve := values[len(JOB_COLUMNS) :])[0] is not None:
        check_solve(of_solve)


def check_solve(values: Sequence[Any]) -> None:
    """Check values of `SOLVE_COLUMNS`."""
    if not SOLVE.fits(values[:_FACTS], values[_FACTS]):
        raise damaged("solve", values[0])
    if values[_UPPER] is not None and values[_LOWER] > values[_UPPER]:
        raise damaged("solve", values[0])


def check_job(values: Sequence[Any]) -> None:
    """Check values of `JOB_COLUMNS`."""
    if not job_fits(values):
        raise damaged("job", values[0])


def job_fits(values: Sequence[Any]) -> bool:
    """Whether values of `JOB_COLUMNS` are what was written."""
    if not JOB.fits(values[:_JOB_FACTS], values[_JOB_FACTS]):
        return False
    end, end_seal = values[_JOB_FACTS + 1 : _JOB_END], values[_JOB_END]
    told, told_seal = values[_JOB_END + 1 : _JOB_TOLD], values[_JOB_TOLD]
    queue, version, started_at = values[_JOB_TOLD + 1 :]
    if not (queue in QUEUES and type(version) is int and fits(job.c.started_at, started_at)):
        return False
    _, state, _, _, finished_at = end
    if finished_at is None and end_seal is None:
        return state in _UNFINISHED
    if told_seal is not None and not JOB_TOLD.fits(told, told_seal):
        return False
    return JOB_END.fits(end, end_seal) and state not in _UNFINISHED


def damaged(table: str, row_id: object) -> DamagedRowError:
    """Return the error for a row that is not as it was written."""
    return DamagedRowError((table, str(row_id)))
