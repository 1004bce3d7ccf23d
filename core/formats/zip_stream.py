"""Streams ZIP archives without a temporary file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile

_CHUNK_BYTES: Final = 64 * 1024


class _Buffer:
    """A non-seekable file that buffers its content until it is drained."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def write(self, data: bytes) -> int:
        self._bytes += data
        return len(data)

    def flush(self) -> None:
        """Do nothing; `ZipFile` requires this method."""

    def drain(self, min_bytes: int) -> Iterator[bytes]:
        if len(self._bytes) >= min_bytes:
            chunk = bytes(self._bytes)
            self._bytes.clear()
            yield chunk


def stream_zip(files: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """Yield a ZIP archive of text files, given as names and chunks of their content.

    Only one chunk is in memory at a time, so the archive can be larger than the memory.
    """
    buffer = _Buffer()
    with ZipFile(cast(IO[bytes], buffer), "w", ZIP_DEFLATED) as archive:
        for name, chunks in files:
            with archive.open(name, "w", force_zip64=True) as file:
                for chunk in chunks:
                    file.write(chunk.encode())
                    yield from buffer.drain(_CHUNK_BYTES)
    yield from buffer.drain(1)
