from __future__ import annotations

import io
import sys

import pytest

from tilework.core.cli.tables import print_fields, print_rows


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_pipe_fields_line_up(capsys: pytest.CaptureFixture[str]) -> None:
    print_fields({"id": "7", "state": "[queued]"})
    assert capsys.readouterr().out == "id     7\nstate  [queued]\n"


def test_in_a_pipe_columns_are_parted_by_tabs(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(["id", "name"], [["1", "a b"], ["2", ""]])
    assert capsys.readouterr().out == "id\tname\n1\ta b\n2\t\n"


def test_on_a_terminal_everything_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Screen())
    print_fields({"state": "[queued]"})
    print_rows(["id", "name"], [["1", "[red]a"]])
    screen = sys.stdout.getvalue()  # type: ignore[attr-defined]
    assert "[queued]" in screen
    assert "[red]a" in screen
    assert "─" in screen
