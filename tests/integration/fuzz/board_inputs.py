"""Boards in every format, possibly corrupted: parts removed, repeated, moved or inserted."""

import io
from collections.abc import Callable
from random import Random
from typing import Any, Final

import numpy as np

_BLANKS: Final = ["0", "X", "x", "_", ".", "null", '""', ""]
_TOKENS: Final = [
    *("[", "]", "(", ")", ",", "/", "|", "\n", "\r", "\r\n", "\t", " ", '"', "'", "#", ":"),
    *("0", "1", "-1", "+1", "1.0", "1e3", "²", "٣", "½", "NaN", "null", "true", "4x4:", "0x0:"),
    *("2147483647", "2147483648", "9999999999", "99999999999", "9" * 400, "32769x1:", "1x32768:"),
    *("\x00", "\ufeff", "\u2028", "\x85", "\x0b", "é", "\U0001f600", "\ud800"),
    *("x", "X", "×", "blank-last", "spiral"),
]  # fmt: skip
_VALUES: Final[list[Any]] = [
    *(None, True, False, "", "x", "1", " 2 ", "²", [], {}, [[]], [[[1]]], 0, 1, -1, 1.5, 1e300),
    *(float("nan"), 2**31, 2**63, -(2**63), 2**64, 10**400, -(10**4299), "9" * 5_000, "\ud800"),
    {"tiles": [1, 0]}, {"width": 2}, {"tiles": "1 0", "width": 2**70},
]  # fmt: skip
_MAX_LENGTH: Final = 20_000


def make_text(random: Random) -> str:
    """Return the text of a board, possibly corrupted."""
    return corrupt(random, _make_board_text(random))


def make_lines(random: Random) -> list[str]:
    """Return the lines of a file of boards, possibly corrupted."""
    rows = []
    for _ in range(random.randint(1, 3)):
        width, height, tiles = _random_tiles(random)
        name = random.choice(["", f"k7 {width} {height} ", f"{random.randint(0, 99)} 2 2 ", "# "])
        rows.append(f"{name}{' '.join(map(str, tiles))}{random.choice(['', ' | 3 | note'])}")
    return corrupt(random, "\n".join(rows)).split("\n")


def make_json_value(random: Random) -> object:
    """Return a value as decoded from JSON."""
    width, height, tiles = _random_tiles(random)
    rows: Any = [tiles[row * width : (row + 1) * width] for row in range(height)]
    value = random.choice([tiles, rows, {"tiles": rows, "width": width, "height": height}])
    for _ in range(random.randint(0, 3)):
        value = _replace_part(random, value)
    return value


def make_npy(random: Random) -> bytes:
    """Return the bytes of an ``.npy`` file, possibly corrupted."""
    width, height, tiles = _random_tiles(random)
    array = np.array(tiles).astype(random.choice("bBhHiIlLqQfd")).reshape(height, width)
    file = io.BytesIO()
    np.save(file, [array, array.T, array.ravel()][random.randrange(3)])
    return corrupt(random, file.getvalue().decode("latin-1"), _random_bytes).encode("latin-1")


def make_noise(random: Random) -> str:
    """Return random text."""
    characters = _random_bytes(random, random.randint(0, 200))
    tokens = "".join(random.choices(_TOKENS, k=random.randint(0, 60)))
    return random.choice([characters, tokens, random.choice(_TOKENS) * random.randint(0, 3_000)])


def _random_tiles(random: Random) -> tuple[int, int, list[int]]:
    max_side = 40 if random.random() < 0.01 else 5
    width, height = random.randint(1, max_side), random.randint(1, max_side)
    tiles = list(range(width * height))
    random.shuffle(tiles)
    return width, height, tiles


def _make_board_text(random: Random) -> str:
    """Return a board in a text format."""
    width, height, tiles = _random_tiles(random)
    blank = random.choice(_BLANKS)
    tokens = [str(tile) if tile else blank for tile in tiles]
    rows = [tokens[row * width : (row + 1) * width] for row in range(height)]
    separator = random.choice([" ", ",", ", ", "\t", " | "])
    match random.randrange(3):
        case 0:
            header = random.choice(["", f"{width}x{height}: ", f"{width} X {height}:\n"])
            return header + separator.join(tokens)
        case 1:
            header = random.choice(["", f"{width}\n", f"{width}x{height}:\n", "\ufeff"])
            row_separator = random.choice(["\n", " / ", "\r\n", "\r", "\n\n"])
            return header + row_separator.join(separator.join(row) for row in rows)
        case _:
            opening, closing = random.choice(["[]", "()"])
            inner = ",".join(f"{opening}{','.join(row)}{closing}" for row in rows)
            return random.choice([inner, f"{opening}{inner}{closing}"])


def _random_token(random: Random, _length: int) -> str:
    return random.choice(_TOKENS)


def _random_bytes(random: Random, length: int) -> str:
    return random.randbytes(length).decode("latin-1")


def corrupt(random: Random, text: str, insert: Callable[[Random, int], str] = _random_token) -> str:
    """Return the text with parts removed, repeated, moved or inserted."""
    for _ in range(random.choice([0, 1, 1, 2, 3, 8])):
        first, second = sorted(random.randint(0, len(text)) for _ in range(2))
        match random.randrange(6):
            case 0:
                text = text[:first] + text[second:]
            case 1:
                text = text[:second] + text[first:]
            case 2:
                text = text[:first] + insert(random, 1) + text[first:]
            case 3:
                text = text[:first] + insert(random, 1) + text[first + 1 :]
            case 4:
                text = text[second:] + text[first:second] + text[:first]
            case _:
                count = random.choice([2, 20, 2_000])
                text = text[:first] + insert(random, 1) * count + text[first:]
    return text[:_MAX_LENGTH]


def _replace_part(random: Random, value: Any) -> Any:
    if isinstance(value, list) and value and random.random() < 0.8:
        index = random.randrange(len(value))
        return [*value[:index], _replace_part(random, value[index]), *value[index + 1 :]]
    if isinstance(value, dict) and value and random.random() < 0.8:
        name = random.choice(list(value))
        return {**value, name: _replace_part(random, value[name])}
    if isinstance(value, list) and random.random() < 0.3:
        return value * 2 or [0]
    return random.choice(_VALUES)
