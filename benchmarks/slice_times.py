"""Record every slice of a real search: what it came out of, its nodes and its seconds.

Usage: python -m benchmarks.slice_times [--board NUMBER]

The service's own code does the work, with a SQLite file and without a broker, in this process:
as one worker that is alone. The simulation of a farm takes its times from here.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select

from benchmarks.instances import Instance, korf50
from benchmarks.ready_pdb import ready_pdb_folder
from benchmarks.report import DATA
from tilework.core.assembly import make_services, make_work
from tilework.core.model.states import Queue, SliceKind
from tilework.core.puzzle.board import Size
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.ports import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.models import slice_
from tilework.core.storage.schema import upgrade

RECORD = DATA / "slice_times.json"
QUEUES = (Queue.INTERACTIVE, Queue.SEARCH)

Slices = list[dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", type=int, default=44, help="of Korf's 50")
    options = parser.parse_args()
    board = next(one for one in korf50() if one.number == options.board)
    folder = ready_pdb_folder(Size(5, 5))
    ready_pdb_folder(Size(4, 4))
    with tempfile.TemporaryDirectory(prefix="tilework-") as data:
        settings = Settings(data_dir=Path(data), databases_dir=folder, pdb_build=False)
        slices = solved_in_slices(board, settings)
    write(board, slices)
    seconds = sum(one["seconds"] for one in slices)
    print(f"{len(slices)} slices, {seconds:.1f} s: {RECORD}")


def solved_in_slices(board: Instance, settings: Settings) -> Slices:
    """Solve a board as one worker; return its search slices in the order of their ends."""
    upgrade(settings.database)
    services = make_services(settings, NoTickets())
    work = make_work(settings, NoTickets())
    options = Submission(boards=[(board.board, board.goal)], client_id=services.clients.new())
    job = services.submit(options).id
    while not services.read.view(job).finished:
        for queue in QUEUES:
            work.serve(queue, "alone", lambda: False)
    ended = services.read.view(job)
    if not ended.lower_bound == ended.upper_bound == board.length:
        raise SystemExit(f"{board.name} has {board.length} moves and ended as {ended}")
    return recorded(Database(settings.database))


def recorded(database: Database) -> Slices:
    """Return the finished search slices of a database; parents by their place in the list."""
    columns = (slice_.c.parent_id, slice_.c.threshold, slice_.c.share, slice_.c.nodes)
    found = (
        select(slice_.c.id, *columns, slice_.c.seconds)
        .where(slice_.c.kind == SliceKind.SEARCH, slice_.c.nodes > 0)
        .order_by(slice_.c.updated_at, slice_.c.id)
    )
    with database.engine(writes=False).connect() as connection:
        rows = connection.execute(found).all()
    database.dispose()
    places = {row.id: place for place, row in enumerate(rows)}
    return [
        {
            "parent": places.get(row.parent_id),
            "threshold": row.threshold,
            "share": row.share,
            "nodes": row.nodes,
            "seconds": round(row.seconds, 4),
        }
        for row in rows
    ]


def write(board: Instance, slices: Sequence[dict[str, Any]]) -> None:
    """Keep the record, one slice a line."""
    DATA.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(one) for one in slices)
    text = f'{{"board": "{board.name}", "slices": [\n{lines}\n]}}\n'
    RECORD.write_text(text, encoding="utf-8")


def read() -> Slices:
    """Return the slices recorded last."""
    slices: Slices = json.loads(RECORD.read_text(encoding="utf-8"))["slices"]
    return slices


if __name__ == "__main__":
    main()
