"""Boards as decoded JSON, and in ``.npy`` files: arrays of two dimensions, or flat if square."""

from __future__ import annotations

import re
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from tilework.core.arguments import optional
from tilework.core.errors import BoardError, BoardSyntaxError
from tilework.core.formats.board_cells import (
    Block,
    Reading,
    Row,
    common_width,
    read_block,
)
from tilework.core.formats.board_faults import find_fault_in_rows, many_tiles, other_side
from tilework.core.formats.board_text import read_text
from tilework.core.formats.spellings import SizeHint, shorten
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size, check_side
from tilework.core.puzzle.phrases import unreadable

MAGIC = b"\x93NUMPY"
_MAX_HEADER = 10_000
# The header is a Python dictionary; its three entries are matched, never evaluated.
_DESCR = re.compile(r"""['"]descr['"]\s*:\s*['"]([<>=|]?[iu][1248])['"]""")
_ORDER = re.compile(r"""['"]fortran_order['"]\s*:\s*(True|False)""")
_SHAPE = re.compile(r"""['"]shape['"]\s*:\s*\(\s*([0-9]{1,12})\s*,\s*([0-9]{0,12})\s*,?\s*\)""")
_MAX_BITS = 10_000  # longer numbers cannot be printed


def read_board_json(
    value: object, width: int | None = None, *, max_cells: int | None = None
) -> Reading:
    """Read a board of at most `max_cells` cells from a decoded JSON value.

    It is text, a flat list, a list of rows, or an object with one of these as ``tiles``, and
    optionally ``width`` and ``height``.
    """
    given, height = value, None
    if isinstance(value, dict):
        width, height = value.get("width", width), value.get("height")
        value = value.get("tiles")
    width, height = optional(check_side, "width", width), optional(check_side, "height", height)
    if isinstance(value, str):
        reading = read_text(value, width, max_cells=max_cells)
        _check_size(reading.board.size, None, height)
        return reading
    if not isinstance(value, list) or not value:
        raise BoardError(
            "json-board",
            "{value} is not a board; use text, a list of tiles or a list of rows",
            value=shorten(repr(given)),
        )
    is_flat = not any(isinstance(row, list) for row in value)
    lists = [value] if is_flat else value
    check_tile_count(sum(len(row) if isinstance(row, list) else 1 for row in lists), max_cells)
    rows = [Row(_spell_row(row, index)) for index, row in enumerate(lists, 1)]
    hint = SizeHint(width, height) if is_flat else SizeHint(common_width(rows), len(rows))
    readings = read_block("", Block(rows), hint)
    if len(readings) != 1:
        fault = find_fault_in_rows(rows, hint)
        row, column, message = fault.row + 1, fault.column + 1, fault.message
        error_type = BoardSyntaxError if message.code in {"tile", "row-length"} else BoardError
        raise error_type(
            Message(message.code, "tile {position}: {error}", position=column, error=message)
            if is_flat
            else Message(
                message.code,
                "row {row}, column {column}: {error}",
                row=row,
                column=column,
                error=message,
            )
        )
    _check_size(readings[0].board.size, width, height)
    return readings[0]


def board_rows(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    return rows


def _check_size(size: Size, width: int | None, height: int | None) -> None:
    for name, side, given in (("width", size.width, width), ("height", size.height, height)):
        if given not in (None, side):
            raise BoardError(other_side(size, name, given))


def check_tile_count(count: int, max_cells: int | None) -> None:
    if max_cells is not None and count > max_cells:
        raise BoardError(many_tiles(count, max_cells))


def _spell_row(row: object, index: int) -> list[str]:
    if not isinstance(row, list) or not row:
        raise BoardSyntaxError(
            "row-type",
            "row {row} is not a list of tiles: {value}",
            row=index,
            value=shorten(repr(row)),
        )
    return [_spell(item) for item in row]


def _spell(item: object) -> str:
    if item is None:
        return ""
    if isinstance(item, str):
        return item.strip()
    if isinstance(item, int) and item.bit_length() > _MAX_BITS:
        return hex(item)
    return str(item)


def read_npy(path: Path, width: int | None = None) -> Board:
    """Read a board from a file; int32 arrays are memory-mapped."""
    try:
        with path.open("rb") as file:
            layout = _read_layout(file, path.stat().st_size, str(path))
        array: NDArray[Any] = np.memmap(path, mode="r", **layout)
    except OSError as error:
        raise BoardError(unreadable(path, error.strerror)) from None
    if array.ndim == 2 and width not in (None, array.shape[1]):
        raise BoardError(other_side(Size(*array.shape[::-1]), "width", width))
    return Board(np.asarray(array), width)


def read_npy_bytes(content: bytes, *, max_cells: int | None = None) -> Board:
    """Read a board of at most `max_cells` cells from the bytes of a ``.npy`` file."""
    layout = _read_layout(BytesIO(content), len(content), "the upload")
    check_tile_count(prod(layout["shape"]), max_cells)
    return Board(np.ndarray(buffer=content, **layout))


def _read_layout(file: BinaryIO, size: int, name: str) -> dict[str, Any]:
    """Read the shape, order, dtype and offset of the array in a file of `size` bytes."""
    start = file.read(len(MAGIC) + 2)
    length_bytes = {1: 2, 2: 4, 3: 4}.get(start[-2] if len(start) == len(MAGIC) + 2 else 0)
    if not start.startswith(MAGIC) or length_bytes is None:
        raise BoardError("npy-file", "{name!r} is not a .npy file with one array", name=name)
    length = int.from_bytes(file.read(length_bytes), "little")
    header = file.read(min(length, _MAX_HEADER)).decode("latin-1")
    descr, order, sides = (pattern.search(header) for pattern in (_DESCR, _ORDER, _SHAPE))
    if len(header) != length or not (descr and order and sides):
        raise BoardError(
            "npy-header",
            "{name!r} does not contain rows of whole numbers: its header is {header!r}",
            name=name,
            header=shorten(header),
        )
    shape, dtype = tuple(int(side) for side in sides.groups() if side), np.dtype(descr[1])
    size -= file.tell()
    if min(shape) < 1 or size != prod(shape) * dtype.itemsize:
        raise BoardError(
            "npy-damaged",
            "{name!r} is damaged: its {size} B of data are not {dtype} of shape {shape}",
            name=name,
            size=size,
            dtype=dtype,
            shape=shape,
        )
    in_columns = order[1] == "True"
    offset = file.tell()
    return {"shape": shape, "dtype": dtype, "offset": offset, "order": "CF"[in_columns]}
