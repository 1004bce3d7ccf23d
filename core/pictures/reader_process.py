"""Reads a picture in a subprocess: ``python -m tilework.core.pictures.reader_process``.

Picture decoders have had exploitable bugs. The subprocess therefore has no settings, no secrets and
no open files except its two pipes. Its memory and time are limited, it cannot write files, and it
handles a single picture.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
from typing import Final

from tilework.core.errors import OverloadError, PictureError
from tilework.core.machine import require_extra
from tilework.core.messages import Message
from tilework.core.pictures.reading import (
    MAX_BYTES,
    MEMORY_BYTES,
    PROCESSOR_SECONDS,
    SECONDS,
    Reading,
)

# Maximum number of pictures at a time; each takes a core for about a second
_MAX_PARALLEL: Final = 4

_SLOTS: Final = threading.Semaphore(_MAX_PARALLEL)

_NICENESS: Final = 5
_ENVIRONMENT: Final = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG")


def read_picture_in_process(data: bytes) -> Reading:
    """Read the board in an untrusted picture."""
    require_extra("pictures")
    if len(data) > MAX_BYTES:
        raise PictureError(
            "picture-bytes",
            "the picture has {count} bytes; use one of at most {max}",
            count=len(data),
            max=MAX_BYTES,
        )
    if not _SLOTS.acquire(blocking=False):
        raise OverloadError(
            "pictures-at-once",
            "too many pictures are being read right now; try again in a few seconds",
            retry_after_s=2,
        )
    try:
        reply = _run_reader(data)
    finally:
        _SLOTS.release()
    if "error" in reply:
        raise PictureError(Message.from_json(reply["error"]))
    return Reading.from_document(reply)


def _run_reader(data: bytes) -> dict[str, str]:
    command = [sys.executable, "-m", "tilework.core.pictures.reader_process"]
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    # Each unneeded thread would reserve address space.
    environment["OPENBLAS_NUM_THREADS"] = "1"
    with subprocess.Popen(  # noqa: S603 -- our own command
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        try:
            output, _ = process.communicate(data, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise PictureError(
                "picture-seconds",
                "the picture could not be read within {seconds:g} seconds; use a smaller one, "
                "or one that shows only the board",
                seconds=SECONDS,
            ) from None
        finally:
            process.kill()
    if process.returncode != 0:
        raise PictureError(
            "picture-memory",
            "the picture needs more memory or time than is allowed; use a smaller one, or one "
            "that shows only the board",
        )
    reply: dict[str, str] = json.loads(output)
    return reply


def main() -> None:
    os.nice(_NICENESS)
    # Imported before the limits apply, since it needs address space and reads files.
    from tilework.core.pictures.recognition import read_picture

    for kind, limit in (
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (limit, limit))
    try:
        document = read_picture(sys.stdin.buffer.read()).document()
    except PictureError as error:
        document = {"error": error.message.to_json()}
    json.dump(document, sys.stdout)


if __name__ == "__main__":
    main()
