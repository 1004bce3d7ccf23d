"""Runs the command in this process, or as the installed program."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.terminal import Terminal
from tilework.core.cli.main import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def tilework(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call ``main`` with arguments, which are split at spaces."""

    def run(*arguments: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as exit_info:
            main([part for argument in arguments for part in argument.split(" ")])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(int(exit_info.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def executable() -> Path:
    """Path of the installed program."""
    return Path(sys.executable).parent / "tilework"


@pytest.fixture
def terminal(executable: Path) -> Iterator[Callable[..., Terminal]]:
    terminals: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        terminals.append(Terminal([executable, *arguments]))
        return terminals[-1]

    yield start
    for session in terminals:
        session.close()
