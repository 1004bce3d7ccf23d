"""Ends jobs whose rows are damaged or have lost their solve."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, update

from tilework.core.model.endings import RECORD_LOST
from tilework.core.model.states import JobState, Priority, Queue
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_board, unpack_board
from tilework.core.storage.damage.checksums import JOB, JOB_BOARDS, JOB_END, JOB_REPORT
from tilework.core.storage.damage.column_types import fits, raw_row
from tilework.core.storage.models import job
from tilework.core.storage.tasks.tasks import TaskRepository

_NO_BOARD = blank_last(Size(3, 3))


def abandon(connection: Connection, job_id: str, now: float) -> None:
    """End a job as failed, whatever its row contains, and detach it from its solve."""
    row = raw_row(connection, job, job_id)
    if row is None:
        return

    def value_or(name: str, default: object) -> Any:
        return row[name] if fits(job.c[name], row[name]) else default

    if JOB_BOARDS.matches((job_id, row["board"], row["goal"]), row["boards_seal"]):
        boards = (row["board"], row["goal"])
    else:
        # A placeholder; the message says that it is not the submitted board.
        boards = (pack_board(_NO_BOARD), pack_board(_NO_BOARD))
    size = unpack_board(boards[0]).size
    values: dict[str, Any] = {
        "id": job_id,
        "client_id": row["client_id"],
        "solve_id": None,
        "batch_id": row["batch_id"],
        "batch_index": value_or("batch_index", 0 if row["batch_id"] else None),
        "width": size.width,
        "height": size.height,
        "metric": Metric.MOVES,
        "target": "optimal",
        "gap": 0.0,
        "algorithm": "auto",
        "heuristic": "auto",
        "time_limit_s": 0.0,
        "deadline": now,
        "version": value_or("version", 0) + 1,
        "created_at": value_or("created_at", now),
        "transform": "",
        "queue": Queue.BATCH,
        "priority": Priority.NORMAL.rank,
        "state": JobState.FAILED,
        "cached": False,
        "lower_bound": 0,
        "upper_bound": None,
        "started_at": None,
        "finished_at": now,
        "nodes": None,
        "wall_s": None,
        "threshold": None,
        "covered": None,
        "engine": None,
        "message": RECORD_LOST,
        "callback_url": value_or("callback_url", None),
        "board": boards[0],
        "goal": boards[1],
    }
    values["seal"] = JOB.compute(values)
    values["boards_seal"] = JOB_BOARDS.compute(values)
    values["end_seal"] = JOB_END.compute(values)
    values["told_seal"] = JOB_REPORT.compute(values)
    connection.execute(update(job).where(job.c.id == job_id).values(values))
    if row["finished_at"] is None and values["callback_url"] is not None:
        client_id, url = str(row["client_id"]), values["callback_url"]
        TaskRepository(connection).add_call(job_id, client_id, url, now)
