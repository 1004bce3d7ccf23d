"""Runs every example of the README and of the tutorial, each in one folder and in order."""

import contextlib
import doctest
import re
from pathlib import Path

import pytest

from tests.support.app_server import LiveServer, module_server
from tests.system.docs.test_docs import ADDRESS, README, ROOT, Block, Shell, find_blocks

__all__ = ["module_server"]

ENGLISH, PORTUGUESE = ROOT / "docs/tutorial.md", ROOT / "docs/tutorial.pt.md"
FENCE = re.compile(
    r"^```(pycon|console|sh)(?: +(\w+)([^\n]*))?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


class ShellWithPython(Shell):
    """Also runs Python examples, all in one interpreter."""

    def __init__(self, folder: Path, server: str) -> None:
        super().__init__(folder)
        self.server = server
        self._names: dict[str, object] = {}

    def run(self, block: Block) -> None:
        if block.language != "pycon":
            super().run(block)
            return
        text = ADDRESS.sub(self.server, block.text)
        test = doctest.DocTestParser().get_doctest(text, self._names, block.location, None, 0)
        report: list[str] = []
        runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
        with contextlib.chdir(self.folder):
            result = runner.run(test, out=report.append, clear_globs=False)
        self._names = test.globs
        assert result.attempted
        assert not result.failed, f"{block.location}: {''.join(report)}"


@pytest.mark.parametrize("page", [README, ENGLISH], ids=lambda page: page.name)
def test_examples(page: Path, module_server: LiveServer, tmp_path: Path) -> None:
    module_server.work_enabled.set()
    shell = ShellWithPython(tmp_path, module_server.url.removeprefix("http://"))
    for block in find_blocks(page, FENCE):
        shell.run(block)


def test_both_languages_have_the_same_examples_and_sections() -> None:
    # `test_examples` runs only those of the English page.
    examples = [
        [(block.language, block.kind, block.text) for block in find_blocks(page, FENCE)]
        for page in (ENGLISH, PORTUGUESE)
    ]
    assert examples[0] == examples[1]
    sections = [page.read_text().count("\n## ") for page in (ENGLISH, PORTUGUESE)]
    assert sections[0] == sections[1] > 5
