"""Runs every example of README.md and docs/*.md, and compares its output.

A fenced block of ``console`` has commands after ``$ `` (continued after ``> ``) and their output;
``...`` stands for any text, alone on a line for any lines. A block of ``sh`` is only run. The
blocks of a page share a folder and run in order. A word after the language changes how a block is
run:

``server``      with a running Tilework; its address replaces 127.0.0.1:8000
``serves``      the last command is stopped with Ctrl-C after its output
``make``        by ``make --dry-run`` in the project's folder
``elsewhere``   not run here; the rest of the line says why
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.running_system import RunningSystem
from tests.support.waiting import TIMEOUT_S
from tilework.core.cli.console import ExitCode
from tilework.core.settings import Settings

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
PAGES = sorted([README, *ROOT.glob("docs/*.md")])
# These have Python examples, too: `test_tutorial` runs both.
SHELL_PAGES = [page for page in PAGES if page != README and "tutorial" not in page.name]
ADDRESS = re.compile(r"(?:127\.0\.0\.1|localhost):8000")
FENCE = re.compile(r"^```(console|sh)(?: +(\w+)([^\n]*))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"", "server", "serves", "make", "elsewhere"}


@dataclass(frozen=True)
class Block:
    location: str
    language: str
    kind: str
    reason: str
    text: str

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Return each command with its documented output."""
        if self.language == "sh":
            return [(self.text, "...\n")]
        examples: list[tuple[str, str]] = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                examples.append((line[2:] + "\n", ""))
                continue
            command, output = examples.pop()
            if line.startswith("> ") and not output:
                examples.append((command + line[2:] + "\n", ""))
            else:
                examples.append((command, output + line + "\n"))
        return examples


def find_blocks(page: Path, fence: re.Pattern[str] = FENCE) -> list[Block]:
    text = page.read_text()
    return [
        Block(
            f"{page.name}:{text.count(chr(10), 0, match.start()) + 1}",
            match[1],
            match[2] or "",
            (match[3] or "").strip(),
            match[4],
        )
        for match in fence.finditer(text)
    ]


def matches(expected: str, output: str) -> bool:
    pattern = re.escape(expected.rstrip("\n"))
    pattern = pattern.replace(re.escape("\n..."), r"(?:\n.*)?").replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, output.rstrip("\n"), re.DOTALL) is not None


def make_environment(folder: Path) -> dict[str, str]:
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("TILEWORK_")
    }
    return inherited | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CACHE_HOME": cache,  # the pattern databases are built once for all tests
        "TILEWORK_PDB_BUILD": "false",  # it would take minutes
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }


class Shell:
    """Runs the blocks of a page in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = ""
        self.server_folder: Path | None = None

    def run(self, block: Block) -> None:
        if block.kind == "elsewhere":
            assert block.reason, f"{block.location}: say why this is not run here"
        elif block.kind == "serves":
            self._serve(block)
        elif block.kind == "make":
            self.run_bash(block, os.environ | {"MAKEFLAGS": "-n"}, ROOT)
        else:
            variables = make_environment(self.folder)
            if block.kind == "server":
                variables["TILEWORK_DATA_DIR"] = f"{self.server_folder}/data"
            self.run_bash(block, variables, self.folder)

    def run_bash(self, block: Block, variables: dict[str, str], folder: Path) -> None:
        # A separate line ends each command's output; $? keeps the command's exit code.
        end = "\x1eend"
        script = "set -e\n" if block.language == "sh" else ""
        for command, _ in block.commands:
            script += f"{self._localize(block, command)}code=$?; echo '{end}'; (exit $code)\n"
        result = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        outputs = result.stdout.split(f"{end}\n")
        assert len(outputs) == len(block.commands) + 1, f"{block.location} failed: {result.stdout}"
        for (command, expected), output in zip(block.commands, outputs, strict=False):
            local_expected = self._localize(block, expected)
            assert matches(local_expected, output), (
                f"{block.location}: $ {command}prints\n{output}\nnot\n{local_expected}"
            )

    def _localize(self, block: Block, text: str) -> str:
        return ADDRESS.sub(self.server, text) if block.kind == "server" else text

    def _serve(self, block: Block) -> None:
        ((command, expected),) = block.commands
        documented = f"...{ADDRESS.sub('...', expected)}..."
        output = ""
        with subprocess.Popen(
            ["bash", "-c", f"exec {command}"],
            cwd=self.folder,
            env=make_environment(self.folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            timer = threading.Timer(TIMEOUT_S, process.kill)
            timer.start()
            while not matches(documented, output) and (line := process.stdout.readline()):
                output += line
            timer.cancel()
            process.send_signal(signal.SIGINT)
            process.communicate()
        assert matches(documented, output), (
            f"{block.location}: $ {command}prints\n{output}\nnot\n{expected}"
        )


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path
) -> Iterator[tuple[str, Path]]:
    """The host and port of a whole system, and its folder."""
    folder = tmp_path_factory.mktemp("up")
    system = RunningSystem(folder / "data", pattern_databases)
    yield system.url.removeprefix("http://"), folder
    system.end()


@pytest.mark.parametrize("page", SHELL_PAGES, ids=lambda page: page.name)
def test_examples(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    shell = Shell(tmp_path)
    for block in find_blocks(page):
        assert block.kind in KINDS, f"{block.location}: {block.kind!r} is not a kind of block"
        if block.kind == "server":
            shell.server, shell.server_folder = request.getfixturevalue("server")
        shell.run(block)


def test_every_exit_code_is_documented() -> None:
    table = (ROOT / "docs/cli.md").read_text().partition("## Exit codes")[2]
    for code in ExitCode:
        assert f"| {code.value} |" in table


def test_every_setting_is_documented() -> None:
    pages = "".join(page.read_text() for page in PAGES)
    missing = [name for name in Settings.model_fields if f"TILEWORK_{name.upper()}`" not in pages]
    assert not missing
