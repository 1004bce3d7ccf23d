import pytest

from tilework.core.cli.console import format_count, print_fields, print_rows
from tilework.core.cli.runs import format_bytes


def test_fields_and_columns_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    print_fields({"id": "7", "state": "[queued]"})
    print_rows(["id", "name"], [["1", "a b"], ["2", ""]])
    assert capsys.readouterr().out == "id     7\nstate  [queued]\nid\tname\n1\ta b\n2\t\n"


def test_counts_and_bytes_are_short() -> None:
    numbers = (0, 999, 1000, 12_345_678, 5e9)
    assert [format_count(number) for number in numbers] == ["0", "999", "1.0 k", "12.3 M", "5.0 G"]
    sizes = (None, 0, 1023, 1536, 5 << 20, 3 << 30)
    expected = ["", "0 B", "1023 B", "1.5 kB", "5.0 MB", "3.0 GB"]
    assert [format_bytes(size) for size in sizes] == expected
