from __future__ import annotations

import pytest
from flask import Flask
from flask_babel import force_locale

from core.errors import InputError
from core.formats.board_text import read_board, read_goal
from core.formats.npy import read_npy_bytes
from core.puzzle.board import Size
from core.puzzle.goals import blank_last
from core.services.farm.life.endings import (
    BROKEN,
    METHOD_DONE,
    NO_SOLUTION,
    NOTHING_LEFT,
    TIME_OVER,
)
from core.solver.names import Algorithm, Heuristic
from core.solver.options import check_options
from core.solver.target import Target
from web.pages.error_words import ENDINGS, in_words, translated

FAULTS = [
    ("1 2 3\n4 q 5\n6 7 8", "Linha 2, coluna 3: 'q' não é uma peça; as peças são números inteiros"),
    ("1 1 2 3", "1 está aqui pela segunda vez; 1 aparece duas vezes ou mais; falta 0."),
    ("1 1 2 2", "1, 2 aparecem duas vezes ou mais; faltam 0, 3."),
    ("1 2 3 9", "9 não é peça de um tabuleiro de 2×2; 9 não está entre 0 e 3; falta 0."),
    ("7 8 9 0", "7, 8, 9 não estão entre 0 e 3;"),
    ("1 2 3 4 0", "as peças acabam com 0, número 5, o que não forma um quadrado; diga o tamanho"),
    ("1 2 3\n4 5\n6 7 0", "a linha 2 acaba com 5, número 2 de 3 numa linha."),
    ("2x2: 1 2 3 0 4", "4 é o número 5, um a mais; um tabuleiro de 2×2 tem 4 casas."),
    ("3x3: 1 2 3 0", "0 é o número 4 e o último; um tabuleiro de 3×3 tem 9 casas."),
    ("[1 2 3 0", "'[' nunca se fecha."),
    ("1 2) 3 0", "')' não fecha nada."),
    ("[[[1 2 3 0]]]", "'[' vai mais fundo que uma lista de linhas."),
    ("0x4: 1 2 3 0", "0×4 não é um tamanho; os lados vão de 1 a 32768."),
    ("[]", "'[]' não contém um tabuleiro; escreva um, como"),
]


def portuguese(app: Flask, error: Exception) -> str:
    with app.test_request_context(), force_locale("pt"):
        return in_words(error)


@pytest.mark.parametrize(("text", "words"), FAULTS)
def test_faults_of_boards_are_told_in_portuguese(app: Flask, text: str, words: str) -> None:
    with pytest.raises(InputError) as fault:
        read_board(text)
    assert words in portuguese(app, fault.value)


def refuse(size: Size, algorithm: Algorithm, heuristic: Heuristic = Heuristic.AUTO) -> None:
    check_options(blank_last(size), algorithm, heuristic)


@pytest.mark.parametrize(
    ("fail", "words"),
    [
        (lambda: read_goal("sideways", Size(2, 2)), "não é um objetivo; os objetivos são"),
        (lambda: read_goal("2x2: 1 2 3 0", Size(3, 3)), "não serve para um tabuleiro de"),
        (lambda: read_board("1 2 3 0", max_cells=3), "aqui aceitam-se tabuleiros de até 3 casas."),
        (lambda: read_npy_bytes(b"no"), "não é um arquivo .npy com uma matriz."),
        (lambda: Target(gap=-1.0), "Uma folga de -1.0 não é possível"),
        (lambda: refuse(Size(7, 7), Algorithm.A_STAR), "A-star vai até 16 casas e 7×7 tem 49"),
        (
            lambda: refuse(Size(4, 4), Algorithm.IDA_STAR, Heuristic.MANHATTAN),
            "Ida-star não tem manhattan para 4×4 com este objetivo; tem linear-conflict",
        ),
    ],
)
def test_other_faults_too(app: Flask, fail, words: str) -> None:
    with pytest.raises(InputError) as fault:
        fail()
    assert words in portuguese(app, fault.value)


def test_the_endings_of_jobs_are_those_of_the_services(app: Flask) -> None:
    assert set(ENDINGS) == {NOTHING_LEFT, TIME_OVER, METHOD_DONE, NO_SOLUTION, BROKEN}
    with app.test_request_context(), force_locale("pt"):
        for ending in ENDINGS:
            assert translated(ending) != ending


def test_english_stays_as_it_is_but_for_its_first_letter(app: Flask) -> None:
    with app.test_request_context(), force_locale("en"), pytest.raises(InputError) as fault:
        read_board("1 2 q 0")
    with app.test_request_context(), force_locale("en"):
        message = str(fault.value)
        assert in_words(fault.value).rstrip(".") == (message[0].upper() + message[1:]).rstrip(".")


def test_an_unknown_message_is_passed_on(app: Flask) -> None:
    assert portuguese(app, InputError("no such sentence")) == "No such sentence."
