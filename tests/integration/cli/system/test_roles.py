import os
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from tests.support.cli.runner import Run
from tilework.core.cli.system import processes
from tilework.core.cli.system.processes import reserve_port, web_count, web_programs
from tilework.core.errors import OptionError
from tilework.core.settings import Settings, get_settings


@pytest.fixture
def unusable_folder(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a data folder that is a file."""
    path = data_folder / "data"
    path.write_text("")
    for name in ("DATABASE_URL", "SECRET_KEY"):
        monkeypatch.delenv(f"TILEWORK_{name}", raising=False)
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(path))
    return path


@pytest.fixture
def replacement_command(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command that replaced the process."""
    command: list[str] = []
    monkeypatch.setattr(
        "tilework.core.cli.system.processes.os.execv",
        lambda _, arguments: command.extend(arguments),
    )
    return command


def test_only_a_cluster_worker_needs_no_data_folder(
    tilework: Run,
    unusable_folder: Path,
    replacement_command: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for role in ("web", "worker"):
        result = tilework(role)
        assert result.code == 2
        [line] = result.err.splitlines()
        assert line.startswith(f"tilework: '{unusable_folder}' is not writable (File ex")
    assert not replacement_command
    monkeypatch.setenv("TILEWORK_DATABASE_URL", "postgresql://tilework@127.0.0.1:1/tilework")
    get_settings.cache_clear()
    assert tilework("worker", "--queues", "lab").code == 0
    assert replacement_command[-4:] == ["--hostname", "worker@%h", "--queues", "lab"]


def test_worker_needs_a_broker_and_known_queues(executable: Path, data_folder: Path) -> None:
    broker = {"TILEWORK_BROKER_URL": "redis://127.0.0.1:1/0"}
    for queues, variables, message in (
        ("lab", {}, "set TILEWORK_BROKER_URL"),
        ("interactive,urgent", broker, "unknown queue 'urgent'; choose from inte"),
    ):
        command = [executable, "worker", "--queues", queues]
        process = Popen(command, env=os.environ | variables, stderr=PIPE, text=True)
        [line] = process.communicate()[1].splitlines()
        assert (process.returncode, message in line) == (2, True)


def test_web_server_does_not_share_its_port(
    tilework: Run, data_folder: Path, replacement_command: list[str]
) -> None:
    port, reserved = reserve_port("127.0.0.1", None)
    with reserved:
        result = tilework("web", "--port", str(port))
        assert (result.code, replacement_command) == (2, [])
        assert result.err.startswith(f"tilework: cannot listen on port {port} of 127.0.0.1")
    assert tilework("web", "--port", str(port)).code == 0
    assert replacement_command[-2:] == ["--port", str(port)]


def test_number_of_web_processes_depends_on_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes.sys, "platform", "linux")
    counts = {cores: web_count(None, cores) for cores in (1, 7, 8, 12, 16, 128)}
    assert counts == {1: 1, 7: 1, 8: 2, 12: 3, 16: 4, 128: 4}
    assert web_count(3, 1) == 3
    # Without port sharing there is only one.
    monkeypatch.setattr(processes.sys, "platform", "darwin")
    assert web_count(None, 64) == web_count(2, 64) == 1


@pytest.mark.parametrize(
    ("broker", "configured", "expected"),
    [
        ("redis://:x@host:6379/2", "memory://", "redis://:x@host:6379/2"),
        ("rediss://host/0", "memory://", "rediss://host/0"),
        ("redis+socket:///a%20b?virtual_host=1", "memory://", "redis+unix:///a%20b"),
        ("sentinel://host:26379", "memory://", "memory://"),
        ("redis://host/0", "redis://other/1", "redis://other/1"),
    ],
)
def test_rate_storage_is_shared(
    broker: str, configured: str, expected: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, rate_storage_url=configured)
    environment = {"TILEWORK_BROKER_URL": broker}
    programs = web_programs(2, ["serve"], environment, settings)
    assert [program.name for program in programs] == ["web-1", "web-2"]
    for program in programs:
        assert program.environment["TILEWORK_RATE_STORAGE_URL"] == expected
    assert web_programs(1, ["serve"], environment, settings)[0].environment == environment


def test_metrics_files_are_replaced_and_preallocated(tmp_path: Path) -> None:
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "counter_web-9.db").write_bytes(b"old")
    settings = Settings(data_dir=tmp_path)
    web_programs(2, ["serve"], {"TILEWORK_BROKER_URL": "redis://host/0"}, settings)
    files = sorted((tmp_path / "metrics").iterdir())
    assert [file.name for file in files] == [
        f"{kind}_web-{number}.db" for kind in ("counter", "histogram") for number in (1, 2)
    ]
    for file in files:
        status = file.stat()
        assert status.st_blocks * 512 >= status.st_size > 0
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "metrics").write_text("a file")
    settings = Settings(data_dir=tmp_path / "other")
    with pytest.raises(OptionError, match="is not writable"):
        web_programs(2, ["serve"], {"TILEWORK_BROKER_URL": "redis://host/0"}, settings)
