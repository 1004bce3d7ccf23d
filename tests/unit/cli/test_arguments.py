"""Every argument of every command, given something else."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup

from tests.support.cli.runner import Run
from tilework.core.cli import commands
from tilework.core.settings import get_settings

ID = "01890000-0000-7000-8000-000000000000"
VALUES = ("nofile.txt", "folder/nofile", "some.txt", "other.txt", ID, "abc", "", "LURD", "\udcff")
QUOTED = VALUES[:5]
EXAMPLES = {
    "size": "3",
    "board": "1,2,3,0",
    "moves": "DU",
    "kind": "queue",
    "name": "batch",
    "job": ID,
    "priority": "low",
    "method": "a-star",
}
# These words say what a wrong argument was taken for, not what it is.
MISLEADING = re.compile(r"is not an address|Input should|bug in Tilework")


def arguments_of_commands() -> Iterator[tuple[str, list[str], int]]:
    """Yield each command that has arguments, their names, and the index of one of them."""
    for name in commands.SUBCOMMANDS:
        waiting: list[tuple[str, Any]] = [(name, commands.load(name))]
        while waiting:
            path, command = waiting.pop()
            if isinstance(command, TyperGroup):
                waiting += [(f"{path} {part}", found) for part, found in command.commands.items()]
                continue
            names = [param.name for param in command.params if param.param_type_name == "argument"]
            yield from ((path, names, index) for index in range(len(names)))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TILEWORK_PDB_DIR", str(tmp_path / "pdb"))
    monkeypatch.setenv("TILEWORK_SERVER", "http://127.0.0.1:9")
    for name in ("some.txt", "other.txt"):
        (tmp_path / name).write_text("this is a letter\n")
    get_settings.cache_clear()
    yield tmp_path
    get_settings.cache_clear()


def test_wrong_arguments_are_quoted(tilework: Run) -> None:
    problems = {}
    cases = list(arguments_of_commands())
    assert len(cases) > 20
    for command, names, index in cases:
        for value in VALUES:
            words = [EXAMPLES.get(str(name), "nofile.txt") for name in names]
            words[index] = value
            result = tilework(command, *words)
            is_quoted = repr(value)[1:9] in result.err or "tilework.sqlite" in result.err
            is_quoted |= result.code != 2 or value not in QUOTED
            if result.code > 3 or MISLEADING.search(result.err) or not is_quoted:
                problems[f"{command} {words}"] = f"{result.code}: {result.err}"
    assert not problems, "\n".join(f"{place}: {problem}" for place, problem in problems.items())


def test_the_name_that_was_meant_is_suggested(tilework: Run) -> None:
    for typed, meant in (("A*", "a-star"), ("ids", "iterative-deepening"), ("gredy", "greedy")):
        result = tilework("solve 8 6 7 2 5 4 3 0 1 --algorithm", typed)
        assert result.code == 2
        assert result.err == f"tilework: {typed!r} is not available; did you mean {meant}?\n"
