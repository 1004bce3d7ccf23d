import sys

import pytest

from tests.support.cli.terminal import Screen
from tilework.core.cli.console import describe_progress, format_count, print_fields, print_rows
from tilework.core.cli.runs import format_bytes
from tilework.core.solver.result import Progress


def test_fields_and_columns_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    print_fields({"id": "7", "state": "[queued]"})
    print_rows(["id", "name"], [["1", "a b"], ["2", ""]])
    assert capsys.readouterr().out == "id     7\nstate  [queued]\nid\tname\n1\ta b\n2\t\n"


def test_terminal_output_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    print_fields({"state": "[queued]"})
    print_rows(["id", "name"], [["1", "[red]a"]])
    for expected in ("[queued]", "[red]a", "─"):
        assert expected in screen.getvalue()


def test_counts_and_bytes_are_short() -> None:
    numbers = (0, 999, 1000, 12_345_678, 5e9)
    assert [format_count(number) for number in numbers] == ["0", "999", "1.0 k", "12.3 M", "5.0 G"]
    sizes = (None, 0, 1023, 1536, 5 << 20, 3 << 30)
    expected = ["", "0 B", "1023 B", "1.5 kB", "5.0 MB", "3.0 GB"]
    assert [format_bytes(size) for size in sizes] == expected


def test_progress_line() -> None:
    progress = Progress(41, 57, 12_300_000, 3.0)
    effort = "0:00:03   12.3 M nodes   4.1 M nodes/s"
    assert describe_progress(progress) == f"41 ≤ optimal ≤ 57   {effort}"
    text = describe_progress(progress, 38)
    assert text == f"41 ≤ optimal ≤ 57   gap 39.1%   1.50 × Manhattan   {effort}"
    progress = describe_progress(Progress(41, None, 0, 0.0), 38)
    assert progress.startswith("41 ≤ optimal   0:00:00   0 nodes")
