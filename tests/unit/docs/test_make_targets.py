"""The targets of make that pages name exist, and `make help` lists the common ones."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
MAKEFILE = (ROOT / "Makefile").read_text()
NEWCOMERS = ["run", "test", "test-unit", "test-all", "check", "dev", "bench", "help"]


def test_make_targets_of_the_documents_exist() -> None:
    targets = {*re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)}
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("clients/*/README.md")]
    for page in pages:
        for arguments in re.findall(r"`make ([a-z -]+)", page.read_text()):
            assert {*arguments.split()} <= targets, page.name


def test_help_lists_what_a_newcomer_needs() -> None:
    assert re.findall(r"^([a-z-]+):.* ## ", MAKEFILE, re.MULTILINE) == NEWCOMERS
