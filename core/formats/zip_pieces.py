"""ZIP archives that are written piece by piece, without a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile

_PIECE_BYTES: Final = 64 * 1024


class _Written:
    """A file without positions; it collects what is written until it is taken."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def write(self, piece: bytes) -> int:
        self._bytes += piece
        return len(piece)

    def flush(self) -> None:
        """Do nothing, as there is nothing below."""

    def take(self, least: int) -> Iterator[bytes]:
        if len(self._bytes) >= least:
            piece = bytes(self._bytes)
            self._bytes.clear()
            yield piece


def zip_pieces(files: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """Yield a ZIP archive of text files, given as names and pieces of their content.

    Only one piece is held in memory, so that an archive can be larger than the memory.
    """
    written = _Written()
    with ZipFile(cast(IO[bytes], written), "w", ZIP_DEFLATED) as archive:
        for name, pieces in files:
            with archive.open(name, "w", force_zip64=True) as file:
                for piece in pieces:
                    file.write(piece.encode())
                    yield from written.take(_PIECE_BYTES)
    yield from written.take(1)
