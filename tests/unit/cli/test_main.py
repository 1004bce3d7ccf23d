import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from tests.support.cli.runner import Run
from tilework.core.cli import commands
from tilework.core.cli.subcommands import GROUPS, SUBCOMMANDS
from tilework.core.settings import Settings, get_settings

ROOT = Path(__file__).parents[3]
BOARD = "0 1 3 4 2 5 7 8 6"


def test_help_and_version(tilework: Run) -> None:
    overview = tilework("--help")
    assert overview.code == 0
    assert tilework("help") == overview
    options = {name for param in get_command(commands.app).params for name in param.opts}
    assert all(f" {option} " in overview.out for option in options - {"--format"})
    assert max(map(len, overview.out.splitlines())) <= 80
    manual = (ROOT / "docs/cli.md").read_text()
    headings = {
        re.sub(r"[^a-z-]", "", title.lower().replace(" ", "-"))
        for title in re.findall(r"^#+ (.*)$", manual, re.MULTILINE)
    }
    for name, entry in SUBCOMMANDS.items():
        assert f"  {name} " in overview.out
        assert entry.summary in overview.out
        command_help = tilework(name, "--help")
        assert command_help.code == 0
        assert f" {name} " in command_help.out.partition("\n")[0]
        assert "--lang" in command_help.out
        for example in entry.examples:
            assert f"\n    tilework {example}\n" in command_help.out
        assert entry.section in headings
        assert tilework("help", name) == command_help
        if entry in (*GROUPS["Use a server"].values(), *GROUPS["Run the system"].values()):
            used = re.findall(r"--[a-z-]+", " ".join(entry.examples))
            assert all(f"  {option} " in command_help.out for option in used)
    assert tilework("--version").out.startswith("tilework 0.")


def test_overview_is_translated(tilework: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    portuguese = tilework("--lang pt --help")
    assert (portuguese.code, portuguese.err) == (0, "")
    assert "Resolver e verificar:\n" in portuguese.out
    lines = set(tilework("--help").out.splitlines())
    assert not [line for line in portuguese.out.splitlines() if line in lines and line]
    assert tilework("--help --lang pt") == portuguese
    monkeypatch.setenv("TILEWORK_LANG", "pt")
    for words in ("--help", "help", "-h"):
        assert tilework(words) == portuguese
    assert "já está resolvido" in tilework("hint 1 2 3 4 5 6 7 8 0").out
    assert tilework("--lang en --help").out != portuguese.out
    monkeypatch.setenv("TILEWORK_LANG", "xx")
    result = tilework("hint 1 2 3 4 5 6 7 8 0")
    assert result.code == 2
    assert "xx" in result.err


OWN_TESTS = {"verify", "read-picture"}  # need a certificate and a picture


@pytest.mark.parametrize(
    "example",
    [
        example
        for group in ("Solve and check", "Learn")
        for name, entry in GROUPS[group].items()
        for example in entry.examples
        if name not in OWN_TESTS
    ],
)
def test_examples_of_the_help_run(
    tilework: Run, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text("1 2 3 / 4 0 6 / 7 5 8")
    Path("moves.txt").write_text("RLUL")
    # The runner splits its arguments at spaces.
    words = [word.replace(" / ", "/").replace(" ", ",") for word in shlex.split(example)]
    result = tilework(*words)
    assert result.code in (0, 1), result.err
    assert result.out


def test_help_of_commands_is_translated(tilework: Run) -> None:
    for words in ("--lang pt help pdb build", "pdb build --help --lang pt"):
        portuguese = " ".join(tilework(words).out.split())
        for text in ("Uso: ", "Construir bancos", "Opções:", "[padrão: a pasta do usuário]"):
            assert text in portuguese
        assert "default" not in portuguese
    assert "Build missing" in tilework("help pdb build").out


def test_json_has_two_names(tilework: Run) -> None:
    board = "1 2 3 / 4 0 6 / 7 5 8"
    solved = tilework("solve", "--json", board).json
    assert solved == tilework("solve", "--format", "json", board).json
    assert solved["moves"] == "UL"
    assert tilework("check --format json --", board).json["solvable"]
    assert tilework("pdb list --format=json").json == tilework("--json pdb list").json
    assert tilework("scramble --json 3 --seed 1").json == [[7, 0, 1], [4, 2, 5], [8, 6, 3]]
    assert tilework("solve --json --format tiles", board).json == solved


def test_every_result_can_be_json(tilework: Run) -> None:
    """Programs that run until they are stopped have no result."""
    for name in SUBCOMMANDS:
        overview = tilework("help", name).out
        groups = re.findall(r"^  (\w+)  ", overview.partition("Commands:")[2], re.MULTILINE)
        for command in [f"{name} {sub}" for sub in groups] or [name]:
            has_option = "  --json " in tilework("help", *command.split()).out
            assert has_option == (name not in {"up", "web", "worker"}), command


def test_only_the_program_installs_its_completion(tilework: Run) -> None:
    assert "--install-completion" in tilework("--help").out
    for name in SUBCOMMANDS:
        assert "completion" not in tilework("help", name).out, name


def test_invalid_options_exit_with_2(tilework: Run) -> None:
    for arguments, expected in {
        "slove": "Did you mean 'solve', 'moves'?",
        "solve 1 2 3 0 --fast": "--fast",
        "check --lang fr 1 2 3 0": "Invalid value for '--lang': 'fr' is not one of 'en', 'pt'",
        "solve 1 2 3 0 --width many": "Invalid value for '--width': 'many'; use a whole number",
        "up --port 70000": "'--port': '70000'; use a number of at most 65535",
        "scramble 3 --moves -1": "'--moves': '-1'; use a number of at least 0",
        "solve 1 2 3 0 --time-limit soon": "'--time-limit': 'soon'; use a number",
        "solve 1 2 3 0 --algorithm a-star:manhattan:2": "a-star takes no weight; omit 2",
        "solve 1 2 3 0 --algorithm a-star:hamming --heuristic manhattan": "omit the heuristic",
    }.items():
        result = tilework(arguments)
        assert result.code == 2
        assert expected in result.err


def test_invalid_settings_exit_with_2(tilework: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value, expected in (
        ("MAX_CELLS", "many", "invalid TILEWORK_MAX_CELLS 'many'; use a whole number"),
        ("DATABASE_URL", "mysql://me:sword@fish@host/x", "use a value such as postgresql://user@"),
        ("DATABASE_URL", "postgresql://me:sword@fish@host:x/y", "such as postgresql://"),
        ("DATABASE_URL", "sqlite:///:memory:", "such as postgresql://"),
        ("BROKER_URL", "redis://host:x/0", "'redis://host:x/0'; use a value such as redis://"),
        ("BROKER_URL", "redis://:sword@fish@host:1/x", "such as redis://"),
        ("BROKER_URL", "redis+socket://", "such as redis://"),
        ("RATE_STORAGE_URL", "redis+other://host", "such as redis://"),
        ("RATE_LIMIT", "lots", "'lots'; use a value such as 3000/minute"),
        ("KEEP_JOBS_DAYS", "0", "invalid TILEWORK_KEEP_JOBS_DAYS '0'; use"),
    ):
        with monkeypatch.context() as environment:
            environment.setenv(f"TILEWORK_{name}", value)
            get_settings.cache_clear()
            result = tilework("db check")
        assert (result.code, result.out) == (2, "")
        [line] = result.err.splitlines()
        assert expected in line
        assert "sword" not in line
        assert "fish" not in line
    get_settings.cache_clear()


@pytest.mark.parametrize(
    ("name", "urls"),
    [
        (
            "database_url",
            "sqlite:///tiles.sqlite sqlite:////var/x?mode=rw postgresql://:p/a?s#s@h:1/n "
            "postgres:///name?host=a,b postgresql+psycopg://u@[::1]:5432/n?sslmode=require",
        ),
        (
            "broker_url",
            "redis:// redis://h rediss://u:p/a@h:6379/0?ssl_cert_reqs=none redis://[::1]:6379// "
            "redis+socket:///tmp/s?virtual_host=1 sentinel://a:26379;sentinel://b:26379/0",
        ),
        (
            "rate_storage_url",
            "memory:// valkey://:p@h:1/1 redis+unix:///tmp/s redis+sentinel://a:1,b:2/name "
            "redis+cluster://a:1,b:2",
        ),
    ],
)
def test_urls_that_drivers_accept_are_valid(name: str, urls: str) -> None:
    for url in urls.split():
        assert getattr(Settings.model_validate({name: url}), name) == url


@pytest.mark.parametrize("command", ["up", "web", "worker"])
def test_settings_of_all_roles_are_checked_before_a_process_starts(
    tilework: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    def fail(*_: object, **_options: object) -> None:
        pytest.fail("a process was started")

    monkeypatch.setattr("subprocess.Popen", fail)
    monkeypatch.setattr("os.execv", fail)
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(tmp_path / "data"))
    for hosts, expected in (
        ("example.com", "TILEWORK_CALLBACK_HOSTS requires TILEWORK_CALLBACK_SECRET"),
        ("ftp://example.com", "'ftp://example.com'"),
    ):
        monkeypatch.setenv("TILEWORK_CALLBACK_HOSTS", hosts)
        get_settings.cache_clear()
        result = tilework(command)
        assert (result.code, result.out) == (2, "")
        [line] = result.err.splitlines()
        assert expected in line
        assert not (tmp_path / "data").exists()
    get_settings.cache_clear()


def test_internal_error_is_one_sentence_without_secrets(
    tilework: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("cannot reach redis://:swordfish@broker/0")

    monkeypatch.setattr("tilework.core.cli.check.read_board_argument", fail)
    result = tilework("check", BOARD)
    assert result.code not in (0, 1, 2, 3)
    assert "please report it" in result.err
    assert "swordfish" not in result.err


def test_lack_of_memory_is_no_bug(tilework: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 8.00 GiB for an array")

    for name in ("read_board_argument", "random_board", "embed_board"):
        monkeypatch.setattr(f"tilework.core.cli.check.{name}", fail)
    for command in (f"check {BOARD}", "scramble 32768", f"embed 32768 {BOARD}"):
        result = tilework(command)
        assert (result.code, result.out) == (1, "")
        assert result.err == "tilework: there is not enough memory for this board\n"


def test_last_language_option_applies_to_one_call(tilework: Run) -> None:
    assert "com solução" in tilework("--lang en check --lang pt", BOARD).out
    assert "solvable" in tilework("--lang pt check --lang en", BOARD).out
    assert "solvable" in tilework("check", BOARD).out


def test_machine_output_is_not_translated(tilework: Run) -> None:
    for arguments in ("lab list --json", "pdb list", f"ways {BOARD} --json"):
        portuguese, english = tilework("--lang pt", arguments), tilework("--lang en", arguments)
        assert (english.code, english.out) == (portuguese.code, portuguese.out)
