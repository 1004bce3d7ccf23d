"""What is run before a commit is what ``make check`` runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]


def commands(*targets: str) -> list[str]:
    """What make would run for targets, without installing anything."""
    installed = ["-o", ".venv/.check", "-o", ".venv/bin/python"]
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", *installed, *targets],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_hooks_run_what_make_check_runs() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    targets = [hook["entry"].removeprefix("make ") for hook in hooks]
    assert commands(*targets) == commands("check")
    assert len(commands("check")) > len(targets)


@pytest.mark.parametrize("tool", ["ruff", "mypy", "lint-imports", "vulture", "pytest", "mkdocs"])
def test_make_check_runs_each_tool(tool: str) -> None:
    assert any(re.search(rf"\.venv/bin/{tool}\b", command) for command in commands("check"))


def test_dead_code_is_found(tmp_path: Path) -> None:
    (tmp_path / "room.py").write_text("def used():\n    pass\n\n\ndef forgotten():\n    used()\n")
    settings = ["--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [sys.executable, "-m", "vulture", *settings, str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "unused function 'forgotten'" in done.stdout
    assert "'used'" not in done.stdout


def test_pages_are_built_as_a_site(tmp_path: Path) -> None:
    built = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(built)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/walks/*.md")]
    for page in pages:
        html = built / page.relative_to(ROOT / "docs").with_suffix(".html")
        assert html.is_file(), html
        # All that a reader needs is in the folder.
        text = html.read_text()
        assert not re.search(r'<(?:script|link rel="stylesheet")[^>]+"https?:', text)
        # Blocks are blocks, whatever follows the name of their language.
        assert "```" not in text
