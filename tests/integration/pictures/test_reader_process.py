import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tests.support.sample_pictures import draw_picture_file
from tilework.core.drawing.board_image import encode_png
from tilework.core.errors import MissingExtraError, OverloadError, PictureError
from tilework.core.pictures import reader_process
from tilework.core.pictures.reading import MAX_BYTES
from tilework.core.settings import Settings
from tilework.core.tracing import check_tracing


def test_no_process_is_started_for_too_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    with pytest.raises(PictureError, match=str(MAX_BYTES)):
        reader_process.read_picture_in_process(bytes(MAX_BYTES + 1))


def replace_reader(monkeypatch: pytest.MonkeyPatch, program: str) -> list[dict[str, str]]:
    """Replace the reader with another program; return the environments of its processes."""
    environments = []
    start = subprocess.Popen

    def start_program(_command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        environments.append(options["env"])
        return start([sys.executable, "-c", program], **options)

    monkeypatch.setattr(subprocess, "Popen", start_program)
    return environments


def test_reader_process_has_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWORK_SECRET_KEY", "s3cret")
    monkeypatch.setenv("TILEWORK_DATABASE_URL", "postgresql://user:s3cret@host/db")
    environments = replace_reader(monkeypatch, "raise SystemExit(1)")
    with pytest.raises(PictureError):
        reader_process.read_picture_in_process(b"any")
    assert "s3cret" not in str(environments)


def test_crashed_reader_is_a_picture_error(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_reader(monkeypatch, "import os; os.kill(os.getpid(), 9)")
    with pytest.raises(PictureError) as error_info:
        reader_process.read_picture_in_process(bytes(1_000_000))
    assert error_info.value.code == "picture-memory"


def test_hanging_reader_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_process, "SECONDS", 0.3)
    replace_reader(monkeypatch, "import time; time.sleep(600)")
    with pytest.raises(PictureError) as error_info:
        reader_process.read_picture_in_process(b"any")
    assert error_info.value.code == "picture-seconds"


def test_number_of_simultaneous_readers_is_limited() -> None:
    for _ in range(4):
        assert reader_process._SLOTS.acquire(blocking=False)
    try:
        with pytest.raises(OverloadError):
            reader_process.read_picture_in_process(draw_picture_file())
    finally:
        reader_process._SLOTS.release(4)
    assert reader_process.read_picture_in_process(draw_picture_file()).rows == 4


def test_missing_libraries_are_named_with_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, extra, operation in (
        ("cv2", "pictures", lambda: reader_process.read_picture_in_process(b"")),
        ("PIL", "pictures", lambda: encode_png(np.zeros((1, 1, 3), np.uint8))),
        ("opentelemetry", "tracing", lambda: check_tracing(Settings(tracing=True))),
    ):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(MissingExtraError, match=rf"pip install 'tilework\[{extra}\]'"):
                operation()
