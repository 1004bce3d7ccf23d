"""The Dockerfile and docker-compose.yml, as far as they can be checked without an engine."""

import json
import re
import tomllib
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from packaging.specifiers import SpecifierSet
from sqlalchemy import make_url

from tilework.core.cli.main import main
from tilework.core.settings import Settings
from tools.devtools.container.context import copy_context
from tools.devtools.container.dockerfile import Config, Stage, stages

ROOT = Path(__file__).parents[3]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
WORKING = {"web", "worker-interactive", "worker-lab", "worker-search"}
LASTING = {"database", "broker", *WORKING}


@pytest.fixture(scope="module")
def found() -> list[Stage]:
    return stages(DOCKERFILE)


@pytest.fixture(scope="module")
def config(found: list[Stage]) -> Config:
    config = Config({"PATH": "/usr/bin"})
    for step in found[-1].steps:
        config.take(step)
    return config


def test_what_is_copied_is_in_the_context_and_all_that_a_wheel_needs(
    found: list[Stage], tmp_path: Path
) -> None:
    copy_context(ROOT, tmp_path)
    copied = []
    for step in (step for stage in found for step in stage.steps if step.name == "COPY"):
        *names, _ = step.words()
        if "from" in step.flags:
            assert step.flags["from"] in {stage.name for stage in found}
            assert names == ["/opt/tilework"]
        else:
            copied += names
    # And nothing else is sent to the engine.
    assert {path.name for path in tmp_path.iterdir()} == set(copied)
    assert not list(tmp_path.rglob("__pycache__"))
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())
    [package] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    links = [path for path in (tmp_path / package).iterdir() if path.is_symlink()]
    rooms = {path.resolve() for path in links}
    assert {path for path in tmp_path.iterdir() if path.is_dir()} == {tmp_path / package, *rooms}
    assert (tmp_path / project["project"]["readme"]).exists()
    wanted = SpecifierSet(project["project"]["requires-python"])
    for stage in found:
        image, _, tag = stage.base.partition(":")
        assert image == "python"
        assert wanted.contains(tag.partition("-")[0])


def test_the_image_runs_a_command_as_a_user_without_rights(
    config: Config, found: list[Stage], capsys: pytest.CaptureFixture[str]
) -> None:
    assert config.user == "tilework"
    [volume] = [step.words() for step in found[-1].steps if step.name == "VOLUME"]
    assert [config.folder] == volume
    assert config.environment["TILEWORK_DATA_DIR"] == config.folder
    assert config.entrypoint == ["tilework"]
    assert run([*config.command, "--help"], capsys) == 0
    [port] = config.ports
    assert config.command[config.command.index("--port") + 1] == str(port)
    check_of_python(config.healthcheck)
    assert f"http://127.0.0.1:{port}/healthz" in config.healthcheck[-1]
    assert not re.search(r"(?i)password|secret|token|api_?key", DOCKERFILE)


def test_the_compose_file_follows_its_specification() -> None:
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    problems = Draft202012Validator(json.loads(schema.read_text())).iter_errors(COMPOSE)
    assert [f"{problem.json_path}: {problem.message}" for problem in problems] == []


def test_its_services(config: Config, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(SERVICES) == {"migrations", *LASTING}
    known = {f"TILEWORK_{name.upper()}" for name in Settings.model_fields}
    assert {name for name in config.environment if name.startswith("TILEWORK_")} <= known
    for name in ("migrations", *WORKING):
        service = SERVICES[name]
        assert service["image"] == "tilework:latest"
        assert set(service["environment"]) <= known | {"PGPASSWORD"}
        assert service["env_file"] == [{"path": "tilework.env", "required": False}]
        assert run([*service["command"], "--help"], capsys) == 0
    for name in LASTING:
        keyword, *words = SERVICES[name]["healthcheck"]["test"]
        assert keyword == "CMD"
        assert SERVICES[name]["restart"] == "unless-stopped"
        if name in WORKING:
            check_of_python(words)
            waited = SERVICES[name]["depends_on"]["migrations"]
            assert waited == {"condition": "service_completed_successfully"}
        else:
            assert SERVICES[name]["user"] not in {"root", "0"}
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["web"]
    assert COMPOSE["networks"]["backend"] == {"internal": True}
    # Who calls back must get out.
    for name in WORKING:
        assert any(COMPOSE["networks"][one] is None for one in SERVICES[name]["networks"])
    mounted = {
        mount.split(":")[0] for role in SERVICES.values() for mount in role.get("volumes", [])
    }
    assert mounted == set(COMPOSE["volumes"])


def test_any_password_will_do() -> None:
    environment = SERVICES["web"]["environment"]
    assert make_url(environment["TILEWORK_DATABASE_URL"]).password is None
    password = environment["PGPASSWORD"]
    assert password == SERVICES["database"]["environment"]["POSTGRES_PASSWORD"]
    assert "--host=127.0.0.1" in SERVICES["database"]["healthcheck"]["test"]


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> int:
    """Give a command to the command line; return its exit code."""
    with pytest.raises(SystemExit) as ending:
        main(words)
    capsys.readouterr()
    return int(ending.value.code or 0)


def check_of_python(words: list[str]) -> None:
    """Check that a command of Python runs a module that there is, or text that is a program."""
    program, option, text = words
    assert program == "python"
    if option == "-m":
        assert find_spec(text) is not None
    else:
        assert option == "-c"
        compile(text, "healthcheck", "exec")
