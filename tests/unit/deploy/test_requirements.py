"""The lock files and the workflow that tests every supported version of Python."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import yaml
from jsonschema import Draft7Validator
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tools.devtools import lock

ROOT = Path(__file__).parents[3]
CONTENT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = CONTENT["project"]
EXTRAS = PROJECT["optional-dependencies"]


def test_lock_files_contain_what_the_project_requires(tmp_path: Path) -> None:
    assert lock.list_outdated_files() == []
    for name, groups in lock.GROUPS.items():
        text = (ROOT / "requirements" / f"{name}.txt").read_text()
        pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE))
        assert len(re.findall(r"^\S+==.* \\\n +--hash=sha256:", text, re.MULTILINE)) >= len(pins)
        expected = [text for group in groups for text in CONTENT["dependency-groups"][group]]
        expected += [text for extra in lock.EXTRAS.get(name, EXTRAS) for text in EXTRAS[extra]]
        for requirement in map(Requirement, [*PROJECT["dependencies"], *expected]):
            assert requirement.specifier.contains(pins[requirement.name]), requirement
        assert ("opentelemetry-sdk" in pins) == (name != "run")
    changed = tmp_path / "pyproject.toml"
    changed.write_text((ROOT / "pyproject.toml").read_text().replace("alembic>=", "alembic>"))
    assert lock.expected_first_line(changed) != lock.expected_first_line()


def test_workflow_tests_every_supported_version() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "github-workflows.json"
    # YAML 1.1 reads the key `on` as a boolean.
    document = {("on" if key is True else key): value for key, value in workflow.items()}
    assert list(Draft7Validator(json.loads(schema.read_text())).iter_errors(document)) == []
    versions = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    classifiers = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"]]
    assert versions == [name for name in classifiers if re.fullmatch(r"3\.\d+", name)]
    assert all(map(SpecifierSet(PROJECT["requires-python"]).contains, versions))
