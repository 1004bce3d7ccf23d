"""Every file that a page names exists; pages name files by the end of their path."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDERS = ("core", "web", "worker", "tilework", "migrations", "tools", "tests")
NAME = re.compile(r"`([\w./-]+\.(?:py|js|html|tlw))`")
WRITTEN_BY_READERS = {"nxn.py"}


def test_every_file_that_a_page_names_exists() -> None:
    files = [*ROOT.glob("*.*"), *(path for top in FOLDERS for path in (ROOT / top).rglob("*.*"))]
    paths = [f"/{path.relative_to(ROOT)}" for path in files]
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]
    named = {(page.name, name) for page in pages for name in NAME.findall(page.read_text())}
    assert len(named) > 100
    missing = [
        (page, name)
        for page, name in named
        if name not in WRITTEN_BY_READERS and not any(path.endswith(f"/{name}") for path in paths)
    ]
    assert missing == []
