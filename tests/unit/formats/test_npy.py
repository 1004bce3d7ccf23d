import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardError
from tilework.core.formats.board_values import read_npy, read_npy_bytes
from tilework.core.formats.downloads import csv_lines
from tilework.core.puzzle.board import Board


def npy_bytes(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


@given(boards(), st.sampled_from(["i4", "<i8", ">i4", ">u2", "u1"]), st.booleans())
def test_boards_of_every_integer_type_are_read(board, kind, fortran):
    rows = board.cells.reshape(board.height, board.width).astype(kind)
    assert read_npy_bytes(npy_bytes(np.asfortranarray(rows) if fortran else rows)) == board


def test_int32_file_is_memory_mapped(tmp_path):
    path = tmp_path / "board.npy"
    np.save(path, np.array([[1, 2, 3], [4, 5, 0]], dtype=np.int32))
    board = read_npy(path)
    assert board == Board([1, 2, 3, 4, 5, 0], 3, 2)
    root = board.cells
    while isinstance(root.base, np.ndarray):
        root = root.base
    assert isinstance(root, np.memmap)
    fortran_path = tmp_path / "fortran.npy"
    np.save(fortran_path, np.asfortranarray([[1, 2, 3], [4, 5, 0]]))
    assert read_npy(fortran_path) == board
    with pytest.raises(BoardError, match="the board is 3×2, but the given width is 4"):
        read_npy(path, 4)
    np.save(tmp_path / "flat.npy", np.array([1, 2, 3, 4, 5, 0]))
    assert read_npy(tmp_path / "flat.npy", 3) == board
    with pytest.raises(BoardError, match="cannot be read: No such file"):
        read_npy(tmp_path / "missing.npy")


def test_invalid_arrays_are_rejected():
    no_rows = "does not contain rows of whole numbers"
    for array, message in (
        (np.array([0.0, 1.0]), no_rows),
        (np.array([{}, []], dtype=object), no_rows),
        (np.zeros((1, 1, 1), dtype=np.int32), f"{no_rows}|is damaged"),
        (np.zeros((0,), dtype=np.int32), f"{no_rows}|is damaged"),
        (np.int32(0), f"{no_rows}|is damaged"),
        (np.array([0, 1, 1, 2]), "1 appears more than once"),
    ):
        with pytest.raises(BoardError, match=message):
            read_npy_bytes(npy_bytes(array))


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (b"(4, 5), ", "its 64 B of data are not int32 of shape"),
        (b"(10**9,)", "does not contain rows"),
        (b"(9999999", "does not contain rows"),
        (b"(4, 400)", "is damaged"),
    ],
)
def test_header_larger_than_the_file_is_rejected(shape, message, tmp_path):
    content = npy_bytes(np.arange(16, dtype=np.int32).reshape(4, 4))
    content = content.replace(b"(4, 4), ", shape)
    path = tmp_path / "board.npy"
    path.write_bytes(content)
    with pytest.raises(BoardError, match=message):
        read_npy_bytes(content)
    with pytest.raises(BoardError, match=message):
        read_npy(path)


def test_truncated_files_and_large_boards_are_rejected():
    content = npy_bytes(np.array([[1, 2], [3, 0]]))
    with pytest.raises(BoardError, match="is damaged"):
        read_npy_bytes(content[:-3])
    assert read_npy_bytes(content, max_cells=4) == Board([1, 2, 3, 0])
    with pytest.raises(BoardError, match="4 tiles are too many; boards of up to 3 cells"):
        read_npy_bytes(content, max_cells=3)


def test_cells_cannot_be_formulas() -> None:
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "1 + 1 = 2", ""]
    text = "".join(csv_lines(["name"], [[text] for text in [*texts, -1, None]]))
    assert text == (
        "name\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\t=1\r\n"
        '"\'\r=1"\r\n"\'\n=1"\r\n1 + 1 = 2\r\n""\r\n-1\r\n""\r\n'
    )
