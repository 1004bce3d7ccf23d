import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilework.core.formats.digits_kernel import read_numbers


def read(text, begin=0):
    values = np.zeros(len(text) + 1, dtype=np.int32)
    ends, begins = np.zeros((2, len(text) + 1), dtype=np.int64)
    plain = np.frombuffer(text.encode(), dtype=np.uint8)
    numbers, rows, too_long = read_numbers(plain, begin, values, ends, begins)
    return values[:numbers].tolist(), ends[:rows].tolist(), begins[:rows].tolist(), too_long


@given(
    st.text("019 \t\n", max_size=30).filter(lambda text: max(map(len, text.split()), default=0) < 9)
)
def test_numbers_and_lines_are_those_that_splitting_gives(text):
    values, ends, begins, too_long = read(text)
    lines = [line.split() for line in text.split("\n") if line.split()]
    assert values == [int(word) for line in lines for word in line]
    assert np.diff([0, *ends]).tolist() == [len(line) for line in lines]
    assert [text[begin:].split()[0] for begin in begins] == [line[0] for line in lines]
    assert too_long == -1


def test_reading_begins_where_it_is_told():
    assert read("12 34\n5", 1) == ([2, 34, 5], [2, 3], [1, 6], -1)


@pytest.mark.parametrize("word", ["2147483648", "9" * 400])
def test_a_number_beyond_int32_is_pointed_at(word):
    assert read("2147483647")[0] == [2147483647]
    assert read(f"1\n2 {word} 3")[3] == 4


def test_the_same_without_the_compiler():
    program = (
        "import numpy as np\n"
        "from tilework.core.formats.digits_kernel import read_numbers\n"
        "values, ends, begins = (np.zeros(4, np.int32), *np.zeros((2, 3), np.int64))\n"
        "text = np.frombuffer(b'3\\n10 2147483647\\n', np.uint8)\n"
        "print(read_numbers(text, 0, values, ends, begins) == (3, 2, -1), values[1], ends[1])\n"
    )
    printed = subprocess.check_output(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        text=True,
    )
    assert printed.split() == ["True", "10", "3"]
