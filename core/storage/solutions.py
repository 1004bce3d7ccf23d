"""Best solutions: short ones are in the row of their solve, long ones in a table of chunks.

The ``moves`` of a solve contain a short solution. For a long one they contain a head: the number
of moves, a zero byte, with which no compressed data begins, and a digest of all chunks. Chunks are
read by a statement that also compares the head, so that chunks of two solutions are never mixed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import delete, select

from tilework.core.errors import DamagedSolveError, MoveError, ReplacedError, UnavailableError
from tilework.core.model.farm.solves import Solve
from tilework.core.model.solutions import JobSolution, SolutionHead, solution_replaced
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import (
    CHUNK_MOVES,
    COUNT_BYTES,
    CompressedMoves,
    PackedMoves,
    chunk_numbers,
    pack,
    packed_count,
    unpack,
)
from tilework.core.storage.checksums import SOLVE_COLUMNS, check_solve
from tilework.core.storage.models import job, solution_chunk, solve
from tilework.core.storage.repository import Repository

if TYPE_CHECKING:
    from tilework.core.storage.session import Session

# Smaller boards never have chunks, so saving a solution needs no search for old ones.
INLINE_CELLS = 256

_MARK = b"\0"
_DIGEST_BYTES = 16
_HEAD_BYTES = COUNT_BYTES + len(_MARK) + _DIGEST_BYTES

# Chunks per statement: a megabyte, and few round trips.
_GROUP = 16

# Solutions of more chunks, 16 MB, are read while they are used. Only boards that are too large
# to be improved have them, so they are hardly ever replaced.
MAX_LOADED_CHUNKS = 256

# How often a solution that was replaced while being read is read again.
_TRIES = 5

Found = TypeVar("Found")

Reading = Callable[[], AbstractContextManager["Session"]]
"""Opens a session that reads."""


class _StoredChunks(Mapping[int, bytes]):
    """The chunks of a solution, of which one group at a time is in memory.

    Looking up a chunk raises ReplacedError if another solution has replaced this one.
    """

    def __init__(self, head: SolutionHead, reading: Reading) -> None:
        self._head = head
        self._reading = reading
        self._numbers = chunk_numbers(0, head.count)
        self._group: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __getitem__(self, number: int) -> bytes:
        if number not in self._group:
            first = number - number % _GROUP
            with self._reading() as session:
                self._group = session.solutions.read_chunks(
                    self._head, self._numbers[first : first + _GROUP]
                )
        return self._group[number]


class SolutionRepository(Repository):
    """Reads and writes best solutions over one connection."""

    def write(self, solve_id: str, cells: int, moves: MoveSequence | None) -> bytes | None:
        """Replace the chunks of a locked solve; return the ``moves`` of its row."""
        if cells > INLINE_CELLS:
            drop = delete(solution_chunk).where(solution_chunk.c.solve_id == solve_id)
            self._connection.execute(drop)
        if moves is None:
            return None
        if cells <= INLINE_CELLS or len(moves) <= CHUNK_MOVES:
            return pack(moves[:])
        if not isinstance(moves, CompressedMoves):
            moves = CompressedMoves(moves)
        digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        numbers = range(len(moves.chunks))
        for first in numbers[::_GROUP]:
            rows = []
            for number in numbers[first : first + _GROUP]:
                data = moves.chunks[number]
                digest.update(data)
                rows.append({"solve_id": solve_id, "number": number, "data": data})
            self._connection.execute(solution_chunk.insert(), rows)
        return len(moves).to_bytes(COUNT_BYTES, "little") + _MARK + digest.digest()

    def best(self, solve_id: str) -> MoveSequence | None:
        """Return the best solution of a solve's canonical board; None if there is none.

        Raises UnavailableError if it is replaced repeatedly while being read.
        """

        def read() -> MoveSequence | None:
            packed = self._packed(solve_id)
            return None if packed is None else self.read(read_head(solve_id, packed))

        return read_consistently(read)

    def head_for_job(self, job_id: str) -> JobSolution | None:
        """Return the head of a job's current solution; None if there is no such job."""
        statement = (
            select(job.c.transform, solve.c.moves, *SOLVE_COLUMNS)
            .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
            .where(job.c.id == job_id)
        )
        row = self._connection.execute(statement).first()
        if row is None:
            return None
        transform, packed, *columns = row
        if row.id is not None:
            check_solve(columns)
        return JobSolution(transform, None if packed is None else read_head(row.id, packed))

    def read_stored(
        self, record: Solve, packed: bytes | None, reading: Reading
    ) -> MoveSequence | None:
        """Return the solution in the ``moves`` of a solve that was read together with them."""
        moves = None
        if packed is not None:
            moves = self.read(read_head(record.id, packed), reading=reading)
        if (None if moves is None else record.metric.length(moves)) != record.upper_bound:
            raise DamagedSolveError(record.id)
        return moves

    def read(
        self,
        head: SolutionHead,
        first: int = 0,
        end: int | None = None,
        *,
        reading: Reading | None = None,
    ) -> MoveSequence:
        """Return a solution; only the moves from first to end need to be loaded.

        With ``reading``, the moves of a very long solution are read when they are used, each group
        in another session.

        Raises ReplacedError if another solution has replaced it, and DamagedSolveError if it is
        damaged.
        """
        if not head.long:
            try:
                return unpack(head.packed)
            except MoveError:
                raise DamagedSolveError(head.solve_id) from None
        end = head.count if end is None else min(end, head.count)
        numbers = chunk_numbers(first, end)
        if reading is not None and len(numbers) > MAX_LOADED_CHUNKS:
            return PackedMoves(head.count, _StoredChunks(head, reading))
        return PackedMoves(head.count, self.read_chunks(head, numbers))

    def read_chunks(self, head: SolutionHead, numbers: range) -> dict[int, bytes]:
        """Return some chunks of a long solution by number; see `read` for the errors."""
        statement = (
            select(solution_chunk.c.number, solution_chunk.c.data)
            .join_from(solve, solution_chunk, solution_chunk.c.solve_id == solve.c.id)
            .where(
                solve.c.id == head.solve_id,
                solve.c.moves == head.packed,
                solution_chunk.c.number >= numbers.start,
                solution_chunk.c.number < numbers.stop,
            )
        )
        rows = self._connection.execute(statement)
        chunks: dict[int, bytes] = {row.number: row.data for row in rows}
        if len(chunks) < len(numbers):
            # Chunks are written together with their head.
            if self._packed(head.solve_id) == head.packed:
                raise DamagedSolveError(head.solve_id)
            raise solution_replaced()
        return chunks

    def _packed(self, solve_id: str) -> bytes | None:
        statement = select(solve.c.moves).where(solve.c.id == solve_id)
        return self._connection.execute(statement).scalar()


def read_head(solve_id: str, packed: bytes) -> SolutionHead:
    """Return the head that the ``moves`` of a solve contain."""
    name = hashlib.blake2b(packed, digest_size=_DIGEST_BYTES).hexdigest()
    in_chunks = len(packed) == _HEAD_BYTES and packed[COUNT_BYTES : COUNT_BYTES + 1] == _MARK
    return SolutionHead(solve_id, packed, in_chunks, packed_count(packed), name)


def read_consistently(read: Callable[[], Found]) -> Found:
    """Read a row and its chunks; repeat it if the solution was replaced in between.

    Raises UnavailableError if that happens repeatedly.
    """
    for _ in range(_TRIES):
        try:
            return read()
        except ReplacedError:
            continue
    raise UnavailableError(
        "solution-changing",
        "better solutions of this board arrive faster than one can be read; try again in a moment",
    )
