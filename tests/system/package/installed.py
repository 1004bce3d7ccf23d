"""A wheel, installed as anybody would, in an environment where no source of the project is."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.support.kernels import take_compiled_kernels


class Installed:
    """The wheel in an environment of its own, and an empty folder to run it in.

    The libraries are those that the tests run with: nothing is downloaded.
    """

    def __init__(self, wheel: Path, folder: Path, databases: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = folder / "environment"
        python = [sys.executable, "-m"]
        run([*python, "venv", "--without-pip", str(self.environment)], folder)
        self.programs = self.environment / "bin"
        pip = [
            *python,
            "pip",
            "--python",
            str(self.programs / "python"),
            "--disable-pip-version-check",
        ]
        run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], folder)
        (self.packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self._databases = databases
        take_compiled_kernels(self.packages)

    @property
    def packages(self) -> Path:
        (found,) = self.environment.glob("lib/python*/site-packages")
        return found

    @property
    def variables(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TILEWORK_", "PYTHON", "NUMBA_"))
        }
        return kept | {
            "HOME": str(self.home),
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "TILEWORK_DATABASES_DIR": str(self._databases),
            "TILEWORK_PDB_BUILD": "false",
            "LC_ALL": "C.UTF-8",
        }

    def tilework(self, *arguments: str) -> str:
        return run([str(self.programs / "tilework"), *arguments], self.home, self.variables)

    def python(self, program: str) -> str:
        return run([str(self.programs / "python"), "-c", program], self.home, self.variables)


def run(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
