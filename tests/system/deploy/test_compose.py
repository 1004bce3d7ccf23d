"""What docker-compose.yml promises, as far as it can be checked without a container engine."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[3]
OURS = {"migrations", "web", "worker-interactive", "worker-lab", "worker-search"}
LASTING = {"database", "broker", "web", "worker-interactive", "worker-lab", "worker-search"}


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


@pytest.fixture(scope="module")
def services(compose: Any) -> dict[str, Any]:
    found: dict[str, Any] = compose["services"]
    return found


def test_it_follows_the_compose_specification(compose: Any) -> None:
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    problems = Draft202012Validator(json.loads(schema.read_text())).iter_errors(compose)
    assert [f"{problem.json_path}: {problem.message}" for problem in problems] == []


def test_the_roles(services: dict[str, Any]) -> None:
    assert set(services) == OURS | LASTING


def test_whatever_lasts_is_watched_and_started_again(services: dict[str, Any]) -> None:
    for name in LASTING:
        assert services[name]["healthcheck"]["test"][0] == "CMD", name
        assert services[name]["restart"] == "unless-stopped", name


def test_nothing_runs_as_root(services: dict[str, Any]) -> None:
    users = re.findall(r"^USER (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert users == ["tilework"]
    for name in LASTING - OURS:
        assert services[name]["user"] not in {"root", "0"}, name


def test_only_the_web_is_published(compose: Any, services: dict[str, Any]) -> None:
    assert [name for name in services if "ports" in services[name]] == ["web"]
    assert compose["networks"]["backend"] == {"internal": True}


def test_what_must_last_is_on_volumes(compose: Any, services: dict[str, Any]) -> None:
    mounted = {
        mount.split(":")[0] for role in services.values() for mount in role.get("volumes", [])
    }
    assert mounted == set(compose["volumes"])


def test_workers_wait_for_the_schema(services: dict[str, Any]) -> None:
    for name in ("web", "worker-interactive", "worker-lab", "worker-search"):
        wait = services[name]["depends_on"]["migrations"]
        assert wait == {"condition": "service_completed_successfully"}


def test_no_secret_is_built_into_the_image() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert not re.search(r"(?i)password|secret|token|api_?key", text)
    assert text.count("FROM ") == 2
