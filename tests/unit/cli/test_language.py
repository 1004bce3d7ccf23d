"""``--lang``: before the subcommand or after it, for answers, notes and errors."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.terminal import Terminal
from tilework.core.cli.commands import SUBCOMMANDS

Run = Callable[..., Any]

BOARD = "0 1 3 4 2 5 7 8 6"


@pytest.mark.parametrize("arguments", ["--lang pt check 1 2 3 4 5", "check 1 2 3 4 5 --lang pt"])
def test_an_error_is_said_in_portuguese(tilework: Run, arguments: str) -> None:
    done = tilework(arguments)
    assert done.code == 2
    assert done.err.startswith("tilework: ")
    assert "5 peças não formam um quadrado" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("solve 1 2 3 3", "3 aparece mais de uma vez; falta 0"),
        ("scramble abc", "tamanho inválido 'abc'"),
        ("compare 1 2 3 0 --sort size", "coluna desconhecida 'size'"),
        ("lab run 1 2 3 0 --method nobody", "algoritmo desconhecido 'nobody'"),
        ("verify nowhere.json", "'nowhere.json' não pode ser lido"),
        ("status x --server http://127.0.0.1:1", "nenhum servidor responde em"),
        ("submit 1 2 3 0 --server ftp://x", "não é o endereço de um servidor"),
        ("pdb build nothing", "bases de padrões desconhecidas 'nothing'"),
    ],
)
def test_errors_of_every_command(tilework: Run, arguments: str, words: str) -> None:
    english = tilework(arguments)
    portuguese = tilework("--lang pt", arguments)
    assert english.code == portuguese.code != 0
    assert words in portuguese.err
    assert words not in english.err


def test_the_option_after_the_command_is_the_one_that_counts(tilework: Run) -> None:
    assert "solvable" in tilework("--lang pt check --lang en", BOARD).out
    assert "resolvível" in tilework("--lang en check --lang pt", BOARD).out


def test_one_call_says_nothing_to_the_next(tilework: Run) -> None:
    assert "resolvível" in tilework("check --lang pt", BOARD).out
    assert "solvable" in tilework("check", BOARD).out


def test_every_command_takes_it(tilework: Run) -> None:
    for name in SUBCOMMANDS:
        assert "--lang" in tilework(name, "--help").out, name
    for name in ("list", "run", "trace"):
        assert "--lang" in tilework("lab", name, "--help").out


def test_an_unknown_language(tilework: Run) -> None:
    assert tilework("--lang fr check", BOARD).code == 2
    assert tilework("check --lang fr", BOARD).code == 2


def test_why_a_board_has_no_solution(tilework: Run) -> None:
    done = tilework("--lang pt compare 1 2 3 4 5 6 8 7 0")
    assert done.code == 1
    assert "não pode chegar ao seu objetivo" in done.err
    assert "ímpar" in done.err


def test_check(tilework: Run) -> None:
    facts = dict(
        line.split(maxsplit=1) for line in tilework("check --lang pt", BOARD).out.splitlines()
    )
    assert facts["largura"] == facts["altura"] == "3"
    assert facts["resolvível"] == "sim"
    assert facts["explicação"].startswith("Inversões")


def test_the_lab(tilework: Run) -> None:
    algorithms, heuristics = tilework("--lang pt lab list").out.split("\n\n")
    # Scripts read the heading.
    assert algorithms.splitlines()[0] == "algorithm\tcomplete\toptimal\ttakes"
    assert "a-star\tsim\tse admissível\theurística" in algorithms.splitlines()
    assert "linear-conflict\tConflito linear\tsim\tsim" in heuristics.splitlines()
    run = tilework("lab run --lang pt", BOARD)
    assert run.out == "LULU\n"
    assert run.err.startswith("4 movimentos, uma solução mínima: 5 visitados, 12 gerados, ")
    steps = tilework("lab trace --lang pt --first 2 --last 0", BOARD).out
    assert steps.startswith("passo 1   nó 0, o início   g 0  h 4  f 4\n")
    assert "passos não mostrados" in steps


def test_compare(tilework: Run) -> None:
    done = tilework("compare --lang pt", BOARD, "--algorithms a-star --node-limit 5")
    heading, row = done.out.splitlines()
    assert heading.split("\t")[-1] == "ended"
    assert row.split("\t")[-1] == "limite de nós"
    left = tilework("compare --lang pt 1 2 3 4 5 6 7 0 8 --method backtracking")
    assert "limite de" in left.out + left.err


def test_compare_on_a_terminal(terminal: Callable[..., Terminal]) -> None:
    screen, code = terminal("compare", "--lang", "pt", BOARD, "--algorithms", "a-star").rest()
    assert code == 0
    assert "resolvido" in screen
    assert "método" in screen


@pytest.mark.parametrize(
    "arguments",
    [
        "compare {board} --algorithms a-star,beam --format csv --sort visited",
        "compare {board} --method beam:manhattan:1 --format json",
        "lab list --json",
        "lab run {board} --json",
        "solve --jsonl -",
        "scramble 4 --seed 7 --format json",
    ],
)
def test_what_machines_read_is_the_same(tilework: Run, arguments: str) -> None:
    words = arguments.format(board=BOARD)
    english, portuguese = (
        tilework("--lang", language, words, stdin="8 1 3 4 0 2 7 6 5 5\n")
        for language in ("en", "pt")
    )
    assert english.code == portuguese.code
    assert _timeless(english.out) == _timeless(portuguese.out)


def _timeless(written: str) -> object:
    """The output without the seconds that a run took."""
    if written.startswith("board_index,"):
        heading, *rows = (line.split(",") for line in written.splitlines())
        place = heading.index("seconds")
        return [heading] + [[*row[:place], *row[place + 1 :]] for row in rows]
    found = json.loads(written)
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, dict):
            one.pop("seconds", None)
    return found


def test_a_certificate(tilework: Run, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    file.write_text("{}")
    done = tilework("--lang pt verify", str(file))
    assert done.code == 2
    assert "isto não é um certificado do Tilework" in done.err


def test_english_reads_no_catalogue() -> None:
    code = (
        "import sys, gettext\n"
        "gettext.translation = lambda *a, **k: sys.exit('a catalogue was read')\n"
        "from tilework.core.cli.main import main\n"
        f"main(['check', *{BOARD!r}.split()])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
