"""Reading a picture in a process of its own: ``python -m tilework.core.pictures.reader_process``.

Programs that unpack pictures have been broken into by pictures. So this process has nothing worth
taking, no settings, no secrets, no open file but its two pipes; it may take little memory and
time, write no file, and ends with its picture, of which nothing is kept.
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
from tilework.core.messages import Message
from tilework.core.pictures.reading import (
    MEMORY_BYTES,
    MOST_BYTES,
    PROCESSOR_SECONDS,
    SECONDS,
    Reading,
)

# Pictures that this process has read beside one another; each takes a core for a second
_AT_ONCE: Final = 4

_PLACES: Final = threading.Semaphore(_AT_ONCE)

_NICENESS: Final = 5
_PASSED_ON: Final = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG")


def read_picture_in_process(data: bytes) -> Reading:
    """Read the board in a picture of anybody's."""
    if len(data) > MOST_BYTES:
        raise PictureError(
            "picture-bytes",
            "the picture has {count} bytes; give one of at most {most}",
            count=len(data),
            most=MOST_BYTES,
        )
    if not _PLACES.acquire(blocking=False):
        raise OverloadError(
            "pictures-at-once",
            "too many pictures are being read right now; try again in a few seconds",
            retry_after_s=2,
        )
    try:
        said = _said_of(data)
    finally:
        _PLACES.release()
    if "fault" in said:
        raise PictureError(Message.from_json(said["fault"]))
    return Reading.from_document(said)


def _said_of(data: bytes) -> dict[str, str]:
    command = [sys.executable, "-m", "tilework.core.pictures.reader_process"]
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    # Threads of linear algebra that nobody needs would each take addresses.
    environment["OPENBLAS_NUM_THREADS"] = "1"
    with subprocess.Popen(  # noqa: S603 -- our own command
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        try:
            answer, _ = process.communicate(data, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise PictureError(
                "picture-seconds",
                "the picture could not be read within {seconds:g} seconds; give a smaller one, "
                "or one that shows only the board",
                seconds=SECONDS,
            ) from None
        finally:
            process.kill()
    if process.returncode != 0:
        raise PictureError(
            "picture-memory",
            "the picture needs more memory or time than is allowed; give a smaller one, or one "
            "that shows only the board",
        )
    said: dict[str, str] = json.loads(answer)
    return said


def main() -> None:
    os.nice(_NICENESS)
    # Imported before the limits: it takes addresses and reads files, and no picture is there yet.
    from tilework.core.pictures.recognition import read_picture

    for kind, most in (
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    try:
        document = read_picture(sys.stdin.buffer.read()).document()
    except PictureError as error:
        document = {"fault": error.message.to_json()}
    json.dump(document, sys.stdout)


if __name__ == "__main__":
    main()
