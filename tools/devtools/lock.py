"""Writes the lock files in ``requirements/`` with uv, or checks that they match pyproject.toml.

    python -m tools.devtools.lock [--check | --upgrade]

Each lock file is for pip's hash-checking mode. It covers every supported Python version and
platform, and its first line has a digest of the requirements that it was made from.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "requirements"
EXTRAS: Final = {"run": ("pictures",)}
"""The extras in a lock file; by default all."""
GROUPS: Final = {
    "dev": ("build", "test", "check", "docs", "dev"),
    "test": ("build", "test"),
    "run": ("build",),
    "tracing": ("build",),
    "training": ("build", "training"),
}


def expected_first_line(project_file: Path = ROOT / "pyproject.toml") -> str:
    """Return the first line of each lock file that matches a pyproject.toml."""
    content = tomllib.loads(project_file.read_text())
    project = content["project"]
    keys = ("requires-python", "dependencies", "optional-dependencies")
    requirements = [*(project[key] for key in keys), content["dependency-groups"]]
    digest = hashlib.sha256(json.dumps(requirements, sort_keys=True).encode()).hexdigest()
    return f"# Written by `make lock` from the requirements in pyproject.toml ({digest[:16]}).\n"


def list_outdated_files() -> list[str]:
    """Return the names of lock files that are missing or do not match pyproject.toml."""
    expected = expected_first_line()
    paths = [FOLDER / f"{name}.txt" for name in GROUPS]
    return [path.name for path in paths if not path.exists() or _first_line(path) != expected]


def _first_line(path: Path) -> str:
    with path.open() as file:
        return file.readline()


def write_lock_files(options: list[str]) -> None:
    compile_ = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--quiet"]
    compile_ += ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header"]
    for name, groups in GROUPS.items():
        path = FOLDER / f"{name}.txt"
        arguments = [f"--extra={extra}" for extra in EXTRAS.get(name, ())] or ["--all-extras"]
        arguments += [f"--group={group}" for group in groups]
        if name != "dev":
            arguments += ["--constraints", str(FOLDER / "dev.txt")]
        command = [*compile_, *arguments, "--output-file", str(path), *options]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        path.write_text(expected_first_line() + path.read_text())


def main(arguments: list[str]) -> None:
    if arguments != ["--check"]:
        write_lock_files(arguments)
    elif outdated := list_outdated_files():
        sys.exit(f"{', '.join(outdated)} in requirements/: not up to date; run: make lock")


if __name__ == "__main__":
    main(sys.argv[1:])
