"""Follow the guides in ``docs/guides`` step by step in a copy of the project.

A block of ``python`` is the file named in its title. A block of ``diff`` changes lines that occur
once in that file. A block of ``console`` is run as in `test_docs`.
"""

import re
import shutil
import sys
from pathlib import Path

from tests.system.docs import test_docs
from tests.system.programs import run

ROOT = test_docs.ROOT
GUIDES = ROOT / "docs" / "guides"
STEP = re.compile(
    r'^```(?:(python|diff) title="([^"]+)"|(console))\n(.*?)^```$', re.MULTILINE | re.DOTALL
)


class Guide:
    """A copy of the project in which the steps of one page are applied."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        self.project = folder / "project"
        self.project.mkdir()
        for package in ("tilework", "core", "web", "worker", "migrations", "tests"):
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, self.project / package, symlinks=True, ignore=ignore)
        shutil.copy(ROOT / "pyproject.toml", self.project)

    def follow(self) -> None:
        for kind, title, console, text in STEP.findall(self.page.read_text()):
            if kind == "python":
                self._write(title, text)
            elif kind == "diff":
                self._change(title, text)
            else:
                self._run(f"```{console}\n{text}```\n")

    def run_python(self, program: str) -> str:
        return run([sys.executable, "-c", program], self.project, self._variables)

    @property
    def _variables(self) -> dict[str, str]:
        return test_docs.make_environment(self.project) | {"PYTHONPATH": str(self.project)}

    def _write(self, name: str, text: str) -> None:
        path = self.project / name
        assert not path.exists(), f"{self.page.name}: {name} already exists"
        path.write_text(text)

    def _change(self, name: str, diff: str) -> None:
        lines = diff.splitlines(keepends=True)
        assert {line[0] for line in lines} <= set(" +-\n"), f"{self.page.name}: {diff}"
        old_text = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
        new_text = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
        path = self.project / name
        text = path.read_text()
        assert text.count(old_text) == 1, f"{self.page.name}: {name} must contain once\n{old_text}"
        path.write_text(text.replace(old_text, new_text))

    def _run(self, block: str) -> None:
        (match,) = test_docs.FENCE.findall(block)
        step = test_docs.Block(self.page.name, match[0], "", "", match[3])
        test_docs.Shell(self.project).run_bash(step, self._variables, self.project)


def follow_guide(name: str, folder: Path) -> Guide:
    guide = Guide(GUIDES / name, folder)
    guide.follow()
    return guide


def test_algorithm_of_the_guide_works(tmp_path: Path) -> None:
    guide = follow_guide("add-an-algorithm.md", tmp_path)
    output = guide.run_python(
        "from tilework.core.lab.methods import Method\n"
        "from tilework.core.lab.run import run\n"
        "from tilework.core.puzzle.board import Board\n"
        "from tilework.core.search.limits import Limits\n"
        "goal = Board([1, 2, 3, 4, 5, 6, 7, 8, 0])\n"
        "for name in ('breadth-first', 'breadth-first-late'):\n"
        "    result = run(Board([8, 1, 3, 4, 0, 2, 7, 6, 5]), goal, Method.of(name), Limits())\n"
        "    print(len(result.moves), result.optimal, result.statistics.visited)\n"
        "from tilework.web.pages.lab.texts import algorithm_names\n"
    )
    first, second = (line.split() for line in output.splitlines())
    assert first[:2] == second[:2] == ["14", "True"]
    assert int(second[2]) > int(first[2])
