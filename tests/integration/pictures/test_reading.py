import struct
import subprocess
import sys
import zlib
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw
from scipy.optimize import linear_sum_assignment

from tests.support.rendered_boards import (
    TILES,
    count_correct_digits,
    draw_picture_file,
    encode_image,
    load_fonts,
)
from tilework.core.drawing.board_image import encode_png
from tilework.core.errors import MissingExtraError, OverloadError, PictureError
from tilework.core.pictures import reader_process
from tilework.core.pictures.reading import MAX_BYTES, Reading
from tilework.core.pictures.recognition import find_cheapest_assignment, read_picture
from tilework.core.settings import Settings
from tilework.core.tracing import check_tracing


def read_tiles(reading: Reading) -> list[int]:
    return [cell.tile for cell in reading.cells]


def test_nearly_all_digits_of_drawn_boards_are_read() -> None:
    fonts = load_fonts()
    counts = [count_correct_digits(seed, fonts) for seed in range(4)]
    digits, correct, unmarked = np.sum(counts, axis=0)
    assert digits > 80
    assert correct >= 0.95 * digits
    assert unmarked <= 0.01 * digits


def test_every_format_and_size_is_read() -> None:
    assert read_picture(draw_picture_file()) == read_picture(draw_picture_file())
    for kind, scheme in (("PNG", 0), ("JPEG", 1), ("WEBP", 0)):
        reading = read_picture(draw_picture_file(kind=kind, scheme=scheme))
        assert (reading.rows, reading.columns, read_tiles(reading)) == (4, 4, TILES)
        assert reading.board.cells.tolist() == TILES
        assert Reading.from_document(reading.document()) == reading
    large_board = [
        [(37 * cell + 20) % 100 for cell in range(row, row + 10)] for row in range(0, 100, 10)
    ]
    for rows in ([[3, 1], [0, 2]], [[3, 1, 4], [5, 0, 2]], large_board):
        reading = read_picture(draw_picture_file(rows))
        assert (reading.rows, reading.columns) == (len(rows), len(rows[0]))
        assert read_tiles(reading) == [tile for row in rows for tile in row]


def test_cells_have_their_positions() -> None:
    reading = read_picture(draw_picture_file(degrees=0, noise=0))
    image = Image.open(BytesIO(draw_picture_file(degrees=0, noise=0))).convert("L")
    assert (reading.width, reading.height) == image.size
    for cell in reading.cells:
        corners = np.array(cell.corners)
        inner = corners.mean(axis=0) + 0.7 * (corners - corners.mean(axis=0))
        left, top = inner.min(axis=0)
        right, bottom = inner.max(axis=0)
        part = np.asarray(image.crop((int(left), int(top), int(right), int(bottom))))
        # The cells of all tiles contain dark digits; the blank's does not.
        assert (part.min() < 90) == (cell.tile != 0)


def test_photo_is_rotated_by_its_exif_orientation() -> None:
    photo = Image.open(BytesIO(draw_picture_file([[3, 1, 4], [5, 0, 2]])))
    exif = Image.Exif()
    exif[0x0112] = 6
    rotated = photo.transpose(Image.Transpose.ROTATE_90)
    reading = read_picture(encode_image(rotated, "JPEG", exif=exif, quality=95))
    assert (reading.width, reading.height) == photo.size
    assert read_tiles(reading) == [3, 1, 4, 5, 0, 2]


def test_corners_are_in_pixels_of_the_original_photo() -> None:
    photo = Image.open(BytesIO(draw_picture_file(degrees=0)))
    enlarged = photo.resize((5 * photo.width, 5 * photo.height))
    corners = [
        np.array(read_picture(encode_image(image, "JPEG")).cells[5].corners)
        for image in (photo, enlarged)
    ]
    np.testing.assert_allclose(corners[1], 5 * corners[0], atol=40)


def pack(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def make_bomb(width: int, height: int) -> bytes:
    """Return a PNG whose header declares an enormous size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + pack(b"IHDR", header) + pack(b"IDAT", b"") + pack(b"IEND", b"")


def draw_squares() -> bytes:
    image = Image.new("L", (600, 600), 255)
    draw = ImageDraw.Draw(image)
    for index in range(64):
        left, top = 70 * (index % 8) + 20, 70 * (index // 8) + 20
        draw.rectangle((left, top, left + 60, top + 60), 40)
    return encode_image(image)


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (b"", "picture-format", "use a PNG, a JPEG or a WebP"),
        (b"1 2 3 4 5 6 7 8 0", "picture-format", "use a PNG, a JPEG or a WebP"),
        (encode_image(Image.new("L", (99, 99)), "GIF"), "picture-format", "a WebP"),
        (make_bomb(60_000, 60_000), "picture-pixels", "60000×60000"),
        (draw_picture_file()[:3_000], "picture-damaged", "is damaged"),
        (
            encode_image(Image.new("RGB", (640, 480), "teal")),
            "picture-no-grid",
            "show the whole board",
        ),
        (encode_image(Image.new("L", (1, 1))), "picture-no-grid", "no grid of tiles"),
        (draw_squares(), "picture-no-numbers", "almost no numbers"),
    ],
)
def test_invalid_picture_is_reported(data: bytes, code: str, message: str) -> None:
    with pytest.raises(PictureError, match=message) as error_info:
        read_picture(data)
    assert error_info.value.code == code


@pytest.mark.parametrize("count", [1, 2, 3, 9, 100])
def test_cheapest_assignment_costs_the_same_as_scipys(count: int) -> None:
    for seed in range(3):
        costs = np.random.default_rng(seed).exponential(5, (count, count)).round(1)
        columns = find_cheapest_assignment(costs)
        assert sorted(columns) == list(range(count))
        rows, best = linear_sum_assignment(costs)
        assert costs[np.arange(count), columns].sum() == pytest.approx(costs[rows, best].sum())


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
