from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.kernels import ROOT
from tests.system.package.installed import Installed, run


def build(kind: str, source: Path, folder: Path) -> Path:
    run([sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)], source)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel_of_sdist(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    run(["tar", "--extract", "--file", str(sdist)], folder)
    (source,) = folder.iterdir()
    return build("wheel", source, tmp_path_factory.mktemp("again"))


@pytest.fixture(scope="session")
def installed(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path
) -> Installed:
    return Installed(wheel, tmp_path_factory.mktemp("installed"), pattern_databases)
