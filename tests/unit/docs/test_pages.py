"""What the documents name exists, and their tables and figures are up to date."""

import re
from pathlib import Path

from tilework.core.settings import Settings
from tools.benchmarks.page import make_documents

ROOT = Path(__file__).parents[3]
MAKEFILE = (ROOT / "Makefile").read_text()


def test_make_targets_of_the_documents_exist() -> None:
    targets = {*re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)}
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("clients/*/README.md")]
    for page in pages:
        for arguments in re.findall(r"`make ([a-z -]+)", page.read_text()):
            assert {*arguments.split()} <= targets, page.name


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


def test_tables_and_pictures_are_up_to_date() -> None:
    documents = make_documents()
    outdated = [
        path.name
        for path, text in documents.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert outdated == [], "run: python -m tools.benchmarks page"
    assert len(documents) > 4


PAGE = (Path(__file__).parents[3] / "docs" / "security.md").read_text()
LIMIT = re.compile(r"max_|_per_|_cap$|limit|_bytes$|budget|connections|secret")
UNITS = {"MiB": 2**20, "GiB": 2**30, "million": 10**6, "GB": 10**9, "MB": 10**6, "h": 3600}
UNITS |= {"days": 86_400, "s": 1}


def test_every_limit_is_documented_with_its_value() -> None:
    limits = [name for name in Settings.model_fields if LIMIT.search(name)]
    assert len(limits) > 10
    assert [name for name in limits if f"TILEWORK_{name.upper()}" not in PAGE] == []
    table = PAGE.partition("## Limits")[2].partition("## What is left")[0]
    compared = 0
    for line in table.splitlines():
        for name in re.findall(r"TILEWORK_([A-Z_]+)", line):
            default = Settings.model_fields[name.lower()].default
            if line.startswith("| ") and isinstance(default, int | float):
                assert float(default) in parse_numbers(line.split("|")[2]), name
                compared += 1
    assert compared > 10


def parse_numbers(text: str) -> list[float]:
    amounts = re.findall(r"(\d[\d,]*)(?: (MiB|GiB|million|GB|MB|h|days|s)\b)?", text)
    amounts += [("1", "days")] if "for a day" in text else []
    return [float(digits.replace(",", "")) * UNITS.get(unit, 1) for digits, unit in amounts]
