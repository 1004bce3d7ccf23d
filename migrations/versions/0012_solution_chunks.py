"""Long solutions in chunks of their own: those that are there are cut, and put together again."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

INLINE_CELLS = 256
CHUNK_BYTES = 1 << 16
CHUNK_MOVES = 4 * CHUNK_BYTES
COUNT_BYTES = 8
DIGEST_BYTES = 16
MARK = b"\0"
LEVEL = 6

# A solution of more moves takes more bytes than this, however well it is compressed.
LEAST_BYTES = 64

SOLVE = sa.table(
    "solve",
    sa.column("id", sa.String()),
    sa.column("width", sa.Integer()),
    sa.column("height", sa.Integer()),
    sa.column("moves", sa.LargeBinary()),
)
CHUNK = sa.table(
    "solution_chunk",
    sa.column("solve_id", sa.String()),
    sa.column("number", sa.Integer()),
    sa.column("data", sa.LargeBinary()),
)


def upgrade() -> None:
    op.create_table(
        "solution_chunk",
        sa.Column("solve_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["solve_id"], ["solve.id"], name=op.f("fk_solution_chunk_solve_id")
        ),
        sa.PrimaryKeyConstraint("solve_id", "number", name=op.f("pk_solution_chunk")),
    )
    connection = op.get_bind()
    large = sa.and_(
        SOLVE.c.width * SOLVE.c.height > INLINE_CELLS, sa.func.length(SOLVE.c.moves) > LEAST_BYTES
    )
    for solve_id in connection.execute(sa.select(SOLVE.c.id).where(large)).scalars().all():
        packed = _moves(connection, solve_id)
        if int.from_bytes(packed[:COUNT_BYTES], "little") <= CHUNK_MOVES:
            continue
        digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
        for number, chunk in enumerate(_cut(packed[COUNT_BYTES:])):
            digest.update(chunk)
            row = {"solve_id": solve_id, "number": number, "data": zlib.compress(chunk, LEVEL)}
            connection.execute(sa.insert(CHUNK), row)
        _write(connection, solve_id, packed[:COUNT_BYTES] + MARK + digest.digest())


def downgrade() -> None:
    connection = op.get_bind()
    ids = connection.execute(sa.select(CHUNK.c.solve_id).distinct()).scalars().all()
    for solve_id in ids:
        head = _moves(connection, solve_id)
        if head[COUNT_BYTES : COUNT_BYTES + 1] == MARK:
            deflater = zlib.compressobj(LEVEL)
            pieces = [head[:COUNT_BYTES]]
            rows = sa.select(CHUNK.c.data).where(CHUNK.c.solve_id == solve_id)
            for data in connection.execute(rows.order_by(CHUNK.c.number)).scalars():
                pieces.append(deflater.compress(zlib.decompress(data)))
            _write(connection, solve_id, b"".join([*pieces, deflater.flush()]))
    op.drop_table("solution_chunk")


def _moves(connection: sa.Connection, solve_id: str) -> bytes:
    found = connection.execute(sa.select(SOLVE.c.moves).where(SOLVE.c.id == solve_id))
    return bytes(found.scalar_one() or b"")


def _write(connection: sa.Connection, solve_id: str, moves: bytes) -> None:
    connection.execute(sa.update(SOLVE).where(SOLVE.c.id == solve_id).values(moves=moves))


def _cut(body: bytes) -> Iterator[bytes]:
    """Yield two-bit moves in pieces of `CHUNK_BYTES`, the last one shorter."""
    inflater = zlib.decompressobj()
    rest = body
    while piece := inflater.decompress(rest, CHUNK_BYTES):
        rest = inflater.unconsumed_tail
        while len(piece) < CHUNK_BYTES and (
            more := inflater.decompress(rest, CHUNK_BYTES - len(piece))
        ):
            rest = inflater.unconsumed_tail
            piece += more
        yield piece
