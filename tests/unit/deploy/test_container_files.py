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

ROOT = Path(__file__).parents[3]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
APPLICATION = {"web", "worker-interactive", "worker-lab", "worker-search"}
LONG_RUNNING = {"database", "broker", *APPLICATION}


def instructions(name: str) -> list[str]:
    """Return the arguments of an instruction, with continued lines joined."""
    text = DOCKERFILE.replace("\\\n", " ")
    return [" ".join(line.split()[1:]) for line in text.splitlines() if line.split()[:1] == [name]]


def only(name: str) -> str:
    [value] = instructions(name)
    return value


ENVIRONMENT = dict(pair.split("=") for pair in only("ENV").split())


def test_copied_files_are_in_the_context_and_suffice_for_a_wheel() -> None:
    copied = set()
    for instruction in map(str.split, instructions("COPY")):
        if instruction[0].startswith("--"):
            assert instruction[:2] == ["--from=build", "/opt/tilework"]
        else:
            copied |= set(instruction[:-1])
    rules = (ROOT / ".dockerignore").read_text().split()
    assert {rule[1:] for rule in rules if rule.startswith("!")} == copied
    assert [rule for rule in rules if not rule.startswith("!")] == ["*", "**/__pycache__"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [package] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    links = [path for path in (ROOT / package).iterdir() if path.is_symlink()]
    packages = {path.resolve().name for path in links}
    assert {name for name in copied if (ROOT / name).is_dir()} == {package, *packages}
    assert project["project"]["readme"] in copied
    wanted = SpecifierSet(project["project"]["requires-python"])
    for base in instructions("FROM"):
        image, _, tag = base.split()[0].partition(":")
        assert image == "python"
        assert wanted.contains(tag.partition("-")[0])


def test_image_runs_a_command_as_an_unprivileged_user(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert only("USER") == "tilework"
    folder = instructions("WORKDIR")[-1]
    assert only("VOLUME") == folder == ENVIRONMENT["TILEWORK_DATA_DIR"]
    assert json.loads(only("ENTRYPOINT")) == ["tilework"]
    command = json.loads(only("CMD"))
    assert run([*command, "--help"], capsys) == 0
    port = only("EXPOSE")
    assert command[command.index("--port") + 1] == port
    check = json.loads(only("HEALTHCHECK").partition(" CMD ")[2])
    check_of_python(check)
    assert f"http://127.0.0.1:{port}/healthz" in check[-1]
    assert not re.search(r"(?i)password|secret|token|api_?key", DOCKERFILE)


def test_compose_file_follows_its_specification() -> None:
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    problems = Draft202012Validator(json.loads(schema.read_text())).iter_errors(COMPOSE)
    assert [f"{problem.json_path}: {problem.message}" for problem in problems] == []


def test_compose_services(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(SERVICES) == {"migrations", *LONG_RUNNING}
    known = {f"TILEWORK_{name.upper()}" for name in Settings.model_fields}
    assert {name for name in ENVIRONMENT if name.startswith("TILEWORK_")} <= known
    for name in ("migrations", *APPLICATION):
        service = SERVICES[name]
        assert service["image"] == "tilework:latest"
        assert set(service["environment"]) <= known | {"PGPASSWORD"}
        assert service["env_file"] == [{"path": "tilework.env", "required": False}]
        assert run([*service["command"], "--help"], capsys) == 0
    for name in LONG_RUNNING:
        keyword, *words = SERVICES[name]["healthcheck"]["test"]
        assert keyword == "CMD"
        assert SERVICES[name]["restart"] == "unless-stopped"
        if name in APPLICATION:
            check_of_python(words)
            waited = SERVICES[name]["depends_on"]["migrations"]
            assert waited == {"condition": "service_completed_successfully"}
        else:
            assert SERVICES[name]["user"] not in {"root", "0"}
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["web"]
    assert COMPOSE["networks"]["backend"] == {"internal": True}
    # Processes that call back need outgoing connections.
    for name in APPLICATION:
        assert any(COMPOSE["networks"][network] is None for network in SERVICES[name]["networks"])
    mounted = {
        mount.split(":")[0] for role in SERVICES.values() for mount in role.get("volumes", [])
    }
    assert mounted == set(COMPOSE["volumes"])


def test_any_password_works() -> None:
    environment = SERVICES["web"]["environment"]
    assert make_url(environment["TILEWORK_DATABASE_URL"]).password is None
    password = environment["PGPASSWORD"]
    assert password == SERVICES["database"]["environment"]["POSTGRES_PASSWORD"]
    assert "--host=127.0.0.1" in SERVICES["database"]["healthcheck"]["test"]


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> int:
    """Run a command line; return its exit code."""
    with pytest.raises(SystemExit) as ending:
        main(words)
    capsys.readouterr()
    return int(ending.value.code or 0)


def check_of_python(words: list[str]) -> None:
    """Check that a Python command runs an existing module, or valid source text."""
    program, option, text = words
    assert program == "python"
    if option == "-m":
        assert find_spec(text) is not None
    else:
        assert option == "-c"
        compile(text, "healthcheck", "exec")
