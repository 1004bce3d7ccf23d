"""Checks of the Dockerfile and docker-compose.yml that need no container engine."""

import json
import os
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
PROGRAMS = ROOT / "deploy" / "image"
APPLICATION = {"web", "worker-interactive", "worker-lab", "worker-search"}
LONG_RUNNING = {"database", "broker", *APPLICATION}
ON_REQUEST = {"flower", "prometheus", "proxy"}


def read_instructions(name: str) -> list[str]:
    """Return the arguments of an instruction, with continued lines joined."""
    text = DOCKERFILE.replace("\\\n", " ")
    return [" ".join(line.split()[1:]) for line in text.splitlines() if line.split()[:1] == [name]]


def read_instruction(name: str) -> str:
    """Return the arguments of an instruction that occurs once."""
    [value] = read_instructions(name)
    return value


ENVIRONMENT = dict(pair.split("=") for pair in read_instruction("ENV").split())


def test_copied_files_are_in_the_context_and_suffice_for_a_wheel() -> None:
    copied = set()
    for instruction in map(str.split, read_instructions("COPY")):
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
    folders = {name for name in copied if (ROOT / name).is_dir()}
    assert folders == {package, *packages, "deploy/image"}
    assert project["project"]["readme"] in copied
    versions = SpecifierSet(project["project"]["requires-python"])
    for base in read_instructions("FROM"):
        image, _, tag = base.split()[0].partition(":")
        assert image == "python"
        assert versions.contains(tag.partition("-")[0])


def test_image_runs_a_command_as_an_unprivileged_user(capsys: pytest.CaptureFixture[str]) -> None:
    assert read_instruction("USER") == "tilework"
    folder = read_instructions("WORKDIR")[-1]
    assert folder == ENVIRONMENT["TILEWORK_DATA_DIR"]
    assert json.loads(read_instruction("ENTRYPOINT")) == ["tilework"]
    command = json.loads(read_instruction("CMD"))
    assert run_command([*command, "--help"], capsys) == 0
    port = read_instruction("EXPOSE")
    assert command[command.index("--port") + 1] == port
    assert json.loads(read_instruction("HEALTHCHECK").partition(" CMD ")[2]) == ["health"]
    assert f"http://127.0.0.1:{port}/healthz" in (PROGRAMS / "health").read_text()
    first, *_ = ENVIRONMENT["PATH"].split(":")
    assert {path.name for path in PROGRAMS.iterdir()} == {"tilework", "health"}
    assert f"deploy/image {first}" in read_instructions("COPY")
    assert all(os.access(path, os.X_OK) for path in PROGRAMS.iterdir())
    assert not re.search(r"(?i)password|secret|token|api_?key", DOCKERFILE)


def test_compose_file_follows_its_specification() -> None:
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    problems = Draft202012Validator(json.loads(schema.read_text())).iter_errors(COMPOSE)
    assert [f"{problem.json_path}: {problem.message}" for problem in problems] == []


def test_compose_services(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(SERVICES) == {"migrations", *ON_REQUEST, *LONG_RUNNING}
    variables = {f"TILEWORK_{name.upper()}" for name in Settings.model_fields}
    assert {name for name in ENVIRONMENT if name.startswith("TILEWORK_")} <= variables
    for name in ("migrations", *APPLICATION):
        service = SERVICES[name]
        assert service["image"] == "tilework:latest"
        assert set(service["environment"]) <= variables | {"PGPASSWORD"}
        assert service["env_file"] == [{"path": "tilework.env", "required": False}]
        assert run_command([*service["command"], "--help"], capsys) == 0
    for name in LONG_RUNNING:
        # The image knows how to check each role.
        assert ("test" in SERVICES[name].get("healthcheck", {})) == (name not in APPLICATION)
        if name in APPLICATION:
            condition = SERVICES[name]["depends_on"]["migrations"]
            assert condition == {"condition": "service_completed_successfully"}
        else:
            assert SERVICES[name]["user"] not in {"root", "0"}
    assert {name for name in SERVICES if "ports" in SERVICES[name]} == {"web", *ON_REQUEST}
    # Only from this host.
    for name in ("flower", "prometheus"):
        assert all(port.startswith("127.0.0.1:") for port in SERVICES[name]["ports"])
    assert COMPOSE["networks"]["backend"] == {"internal": True}
    # Webhooks need outgoing connections.
    for name in APPLICATION:
        assert any(COMPOSE["networks"][network] is None for network in SERVICES[name]["networks"])
    # Operators see and request the pattern databases of the workers.
    [target] = [
        path
        for volume, _, path in (mount.partition(":") for mount in SERVICES["web"]["volumes"])
        if [f"{volume}:{ENVIRONMENT['TILEWORK_DATA_DIR']}"] == SERVICES["worker-search"]["volumes"]
    ]
    assert SERVICES["web"]["environment"]["TILEWORK_PDB_DIR"] == f"{target}/pdb"
    assert f" {target} " in f"{read_instructions('RUN')[-1]} "  # writable by the user
    mounted_volumes = {
        mount.split(":")[0]
        for role in SERVICES.values()
        for mount in role.get("volumes", [])
        if not mount.startswith("./")
    }
    assert mounted_volumes == set(COMPOSE["volumes"])


def test_proxy_and_prometheus_are_for_the_web_server() -> None:
    target = f"web:{read_instruction('EXPOSE')}"
    assert f"reverse_proxy {target}\n" in (ROOT / "deploy/Caddyfile").read_text()
    prometheus = yaml.safe_load((ROOT / "deploy/prometheus.yml").read_text())
    [scraping] = prometheus["scrape_configs"]
    assert scraping["static_configs"] == [{"targets": [target]}]
    alerts = (ROOT / "deploy/alerts.yml").read_text()
    assert set(re.findall(r'job="(\w+)"', alerts)) == {scraping["job_name"]}
    assert prometheus["rule_files"] == ["alerts.yml"]
    # They can reach it, and read files that exist.
    for name in ("prometheus", "proxy"):
        assert {*SERVICES[name]["networks"]} & {*SERVICES["web"]["networks"]}
        files = [mount for mount in SERVICES[name]["volumes"] if mount.startswith("./")]
        assert files
        assert all((ROOT / mount.partition(":")[0]).is_file() for mount in files)


def test_password_is_not_part_of_a_url() -> None:
    environment = SERVICES["web"]["environment"]
    assert make_url(environment["TILEWORK_DATABASE_URL"]).password is None
    password = environment["PGPASSWORD"]
    assert password == SERVICES["database"]["environment"]["POSTGRES_PASSWORD"]
    assert password.startswith("${POSTGRES_PASSWORD:?")  # none is public


def run_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> int:
    """Run a command line; return its exit code."""
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    capsys.readouterr()
    return int(exit_info.value.code or 0)


def check_python_command(command: list[str]) -> None:
    """Check that a Python command runs an existing module."""
    program, option, module = command
    assert (program, option) == ("python", "-m")
    assert find_spec(module) is not None
