"""The manifests for Kubernetes, as far as they can be checked without a cluster.

No package has the schema of KEDA's objects, so they are compared with the only fields in use.
"""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from jsonschema import Draft7Validator
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.unit.deploy.test_container_files import check_python_command, run_command
from tilework.core.model.states import Queue
from tilework.core.settings import Settings
from tools.devtools import lock

FOLDER = Path(__file__).parents[3] / "deploy" / "kubernetes"
VERSIONS = ("1.32", kubernetes_validate.latest_version())
METRIC = re.compile(r'max\(tilework_oldest_wait_seconds\{queue=~"([a-z|-]+)"\}\)')


def read_manifests(folder: str) -> list[dict[str, Any]]:
    files = {path.name for path in (FOLDER / folder).iterdir()} - {"kustomization.yaml"}
    kustomization = yaml.safe_load((FOLDER / folder / "kustomization.yaml").read_text())
    assert {*kustomization["resources"]} - {"../base"} == files
    texts = [(FOLDER / folder / file).read_text() for file in files]
    return [manifest for text in texts for manifest in yaml.safe_load_all(text)]


BASE, KEDA = read_manifests("base"), read_manifests("keda")
DEPLOYMENTS = {item["metadata"]["name"]: item for item in BASE if item["kind"] == "Deployment"}

BUDGETS = {
    item["metadata"]["name"]: item["spec"]["minAvailable"]
    for item in BASE
    if item["kind"] == "PodDisruptionBudget"
}


def read_container(workload: dict[str, Any]) -> dict[str, Any]:
    [container] = workload["spec"]["template"]["spec"]["containers"]
    return dict(container)


def test_manifests_follow_the_published_schemas() -> None:
    for manifest in BASE:
        for version in VERSIONS:
            kubernetes_validate.validate(manifest, version, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(BASE[0] | {"specs": {}}, VERSIONS[0], strict=True)


def test_pods_run_valid_commands_without_privileges(capsys: pytest.CaptureFixture[str]) -> None:
    workloads = [item for item in BASE if item["kind"] in {"Deployment", "Job"}]
    assert len(workloads) == 5
    for workload in workloads:
        pod, container = workload["spec"]["template"]["spec"], read_container(workload)
        assert run_command([*container["args"], "--help"], capsys) == 0
        assert container["image"] == "tilework"
        assert pod["securityContext"]["runAsNonRoot"]
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}
        if workload["kind"] == "Deployment":
            assert {"startupProbe", "livenessProbe"} <= container.keys()
            if "exec" in container["livenessProbe"]:
                check_python_command(container["livenessProbe"]["exec"]["command"])
                # A worker that starts waits for the database and the migrations.
                probe = container["startupProbe"]
                assert probe["periodSeconds"] * probe["failureThreshold"] >= 3_600
    kustomization = yaml.safe_load((FOLDER / "base/kustomization.yaml").read_text())
    [settings] = kustomization["configMapGenerator"]
    names = {f"TILEWORK_{name.upper()}" for name in Settings.model_fields}
    assert {literal.partition("=")[0] for literal in settings["literals"]} <= names
    assert BUDGETS
    for name, kept in BUDGETS.items():
        assert DEPLOYMENTS[name]["spec"]["replicas"] > kept
    labels = [item["spec"]["template"]["metadata"]["labels"] for item in workloads]
    for manifest in BASE:
        if "selector" in manifest.get("spec", {}):
            selector = manifest["spec"]["selector"]
            assert selector.get("matchLabels", selector) in labels


def test_workers_are_scaled_by_the_oldest_wait_in_their_queues() -> None:
    served, scaled = set(), []
    for manifest in KEDA:
        spec = manifest["spec"]
        assert (manifest["apiVersion"], manifest["kind"]) == ("keda.sh/v1alpha1", "ScaledObject")
        fields = {"scaleTargetRef", "triggers", "fallback", "minReplicaCount", "maxReplicaCount"}
        assert spec.keys() == fields
        # With no more pods than its disruption budget keeps, a node could not be drained.
        kept = BUDGETS.get(spec["scaleTargetRef"]["name"], 0)
        assert kept < spec["minReplicaCount"] < spec["maxReplicaCount"]
        assert spec["fallback"].keys() == {"failureThreshold", "replicas", "behavior"}
        # Losing the metrics must not stop workers.
        assert spec["fallback"]["behavior"] == "currentReplicasIfHigher"
        [trigger] = spec["triggers"]
        assert (trigger.keys(), trigger["type"]) == ({"type", "metadata"}, "prometheus")
        query = METRIC.fullmatch(trigger["metadata"].pop("query"))
        assert trigger["metadata"].keys() == {"serverAddress", "threshold"}
        assert int(trigger["metadata"]["threshold"]) > 0
        arguments = read_container(DEPLOYMENTS[spec["scaleTargetRef"]["name"]])["args"]
        queues = arguments[arguments.index("--queues") + 1].split(",")
        assert query is not None
        assert {*query[1].split("|")} <= {*queues}
        served.update(queues)
        scaled += query[1].split("|")
    assert served == {*Queue}
    assert sorted(scaled) == sorted(Queue)


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
