"""The client in ``clients/typescript``, with Node.js, against a running system."""

import os
import re
from pathlib import Path

import pytest

from tests.system.programs import run
from tools.devtools import typescript_types

CLIENT = typescript_types.CLIENT
README = (CLIENT / "README.md").read_text()
OPTIONS = ["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"]


@pytest.fixture(scope="module", autouse=True)
def packages() -> Path:
    """The folder of the npm packages that the client needs."""
    assert (CLIENT / "node_modules").exists(), "run: make npm-packages"
    typescript_types.write()
    run(["npm", "run", "build"], CLIENT)
    return CLIENT / "node_modules"


def test_client_solves_polls_and_cancels(site: str) -> None:
    run(["npm", "test"], CLIENT, os.environ | {"TILEWORK_URL": site})


def test_example_in_its_readme(site: str, packages: Path, tmp_path: Path) -> None:
    example, output = re.findall(r"^```(?:ts|text)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (tmp_path / "example.mts").write_text(example.replace("http://127.0.0.1:8000", site))
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/tilework").symlink_to(CLIENT)
    (tmp_path / "node_modules/@types").symlink_to(packages / "@types")
    run([str(packages / ".bin/tsc"), *OPTIONS, "example.mts"], tmp_path)
    pattern = re.escape(output).replace("…", "[LRUD]{5}")
    assert re.fullmatch(pattern, run(["node", "example.mjs"], tmp_path))
