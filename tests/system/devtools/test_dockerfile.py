"""The Dockerfile and docker-compose.yml: what they name is there."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from devtools.container.context import copy_context
from devtools.container.dockerfile import Config, DockerfileError, Stage, stages
from tests.support.said import ROOT
from tilework.core.cli.main import main
from tilework.core.settings import Settings

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
OURS = [name for name, service in COMPOSE.items() if service["image"] == "tilework:latest"]
MADE = "/opt/tilework"
"""What one stage makes and the other takes."""


@pytest.fixture(scope="module")
def found() -> list[Stage]:
    return stages((ROOT / "Dockerfile").read_text())


@pytest.fixture(scope="module")
def config(found: list[Stage]) -> Config:
    config = Config({"PATH": "/usr/bin"})
    for step in found[-1].steps:
        config.take(step)
    return config


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("context")
    copy_context(ROOT, folder)
    return folder


def test_what_is_copied_is_in_the_context(found: list[Stage], context: Path) -> None:
    copied = []
    for stage in found:
        for step in (step for step in stage.steps if step.name == "COPY"):
            *names, _ = step.words()
            if "from" in step.flags:
                assert step.flags["from"] in {stage.name for stage in found}
                assert names == [MADE]
            else:
                copied += names
    assert [name for name in copied if not (context / name).exists()] == []
    # And nothing else is sent to the engine.
    assert {path.name for path in context.iterdir()} == set(copied)
    assert not list(context.rglob("__pycache__"))


def test_what_the_wheel_is_built_of_is_copied(context: Path) -> None:
    project = tomllib.loads((context / "pyproject.toml").read_text())
    [package] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    links = [path for path in (context / package).iterdir() if path.is_symlink()]
    rooms = {path.resolve() for path in links}
    assert {path for path in context.iterdir() if path.is_dir()} == {context / package, *rooms}
    assert (context / project["project"]["readme"]).exists()


def test_python_is_one_that_the_project_takes(found: list[Stage]) -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    for stage in found:
        image, _, tag = stage.base.partition(":")
        assert image == "python"
        assert SpecifierSet(wanted).contains(tag.partition("-")[0])


def test_it_is_not_root_that_runs_where_data_stay(config: Config, found: list[Stage]) -> None:
    assert config.user == "tilework"
    [volume] = [step.words() for step in found[-1].steps if step.name == "VOLUME"]
    assert [config.folder] == volume
    assert config.environment["TILEWORK_DATA_DIR"] == config.folder


def test_what_it_starts_is_a_command(config: Config, capsys: pytest.CaptureFixture[str]) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert config.entrypoint == [*scripts]
    assert run([*config.command, "--help"], capsys) == 0
    assert config.command[config.command.index("--port") + 1] == str(*config.ports)


def test_the_health_check_asks_what_is_served(config: Config) -> None:
    check_of_python(config.healthcheck)
    [port] = config.ports
    assert f"http://127.0.0.1:{port}/healthz" in config.healthcheck[-1]


def test_variables_are_settings(config: Config) -> None:
    ours = {name for name in config.environment if name.startswith("TILEWORK_")}
    for name in OURS:
        ours |= set(COMPOSE[name]["environment"])
    assert ours
    known = {f"TILEWORK_{name.upper()}" for name in Settings.model_fields}
    assert ours - known == set()


@pytest.mark.parametrize("name", OURS)
def test_services_start_commands_that_there_are(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*COMPOSE[name]["command"], "--help"], capsys) == 0
    if "healthcheck" in COMPOSE[name]:
        keyword, *words = COMPOSE[name]["healthcheck"]["test"]
        assert keyword == "CMD"
        check_of_python(words)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FROM a\nADD b c\n", "line 2: 'ADD' is none of"),
        ("USER x\n", "line 1: USER before any FROM"),
        ("FROM a\nHEALTHCHECK NONE\n", "line 2: HEALTHCHECK needs CMD, not NONE"),
        ("FROM a\nENV X=$Y\n", "the variable 'Y' of '$Y' is not set"),
    ],
)
def test_what_is_not_understood_is_an_error(text: str, said: str) -> None:
    with pytest.raises(DockerfileError, match=re.escape(said)):
        config_of(text)


def test_lines_words_and_variables() -> None:
    [stage] = stages(
        '# syntax\nFROM a AS b\nENV P=/x:$P \\\n    # why\n    Q="y z"\n'
        'RUN one \\\n  && two\nCOPY --from=b --chown=c x y\nCMD ["d", "e"]\n'
    )
    assert (stage.base, stage.name) == ("a", "b")
    config = Config({"P": "/bin"})
    for step in stage.steps:
        config.take(step)
    assert config.environment == {"P": "/x:/bin", "Q": "y z"}
    assert config.command == ["d", "e"]
    assert stage.steps[1].command() == ["/bin/sh", "-c", "one && two"]
    assert stage.steps[2].flags == {"from": "b", "chown": "c"}
    assert stage.steps[2].words() == ["x", "y"]


def test_the_context_follows_the_last_rule_that_fits(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in ("a/b.py", "a/__pycache__/b.pyc", "a/c/__pycache__/d.pyc", "e/f.py", "g.py"):
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (source / "a" / "link").symlink_to("../e")
    (source / ".dockerignore").write_text("# all\n*\n!a\n!g.*\n**/__pycache__\n")
    folder = tmp_path / "context"
    copy_context(source, folder)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {"a/b.py", "g.py"}
    assert (folder / "a" / "link").readlink() == Path("../e")


def config_of(text: str) -> Config:
    config = Config()
    for step in stages(text)[0].steps:
        config.take(step)
    return config


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> int:
    """Give a command to the command line; return its exit code."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.argv", ["tilework", *words])
            main()
    except SystemExit as left:
        capsys.readouterr()
        return int(left.code or 0)
    return 0


def check_of_python(words: list[str]) -> None:
    """Check that a command of Python runs a module that there is, or text that is a program."""
    program, option, text = words
    assert program == "python"
    if option == "-m":
        assert find_spec(text) is not None
    else:
        assert option == "-c"
        compile(text, json.dumps(words), "exec")
