"""The catalogues are complete: no message is untranslated or obsolete."""

import ast
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tests.support.message_catalogue import ROOT, error_names

PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+[^}]*\}")
# The positions of a call's texts, as in ``make words``.
KEYWORDS = {
    "_": None,
    "gettext": None,
    "lazy_gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "plural": (2, 3),
    "Problem": (3,),
    "AlgorithmFacts": (1,),
    "HeuristicFacts": (1,),
    "CodeLine": (1,),
    "gettext_noop": None,
    "say_words": None,
    **dict.fromkeys(("Message", *error_names()), (2,)),
}
PACKAGES = {
    "web": [("web", [("**.py", "python"), ("templates/**.html", "jinja2")])],
    "core": [
        ("core", [("**.py", "python")]),
        ("worker", [("**.py", "python")]),
        ("tilework", [("*.py", "python")]),
    ],
}


def find_folder(package: str) -> Path:
    return ROOT / package / "translations" / "pt" / "LC_MESSAGES"


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def catalogue(package: str) -> Catalog:
    with (find_folder(package) / "messages.po").open("rb") as file:
        return read_po(file, locale="pt")


def extract_messages(package: str) -> set[str | tuple[str, ...]]:
    return {
        message
        for folder, methods in PACKAGES[package]
        for _file, _line, message, _comments, _context in extract_from_dir(
            str(ROOT / folder), methods, keywords=KEYWORDS
        )
    }


def test_every_message_is_translated_and_none_is_obsolete(package: str, catalogue: Catalog) -> None:
    assert {message.id for message in catalogue if message.id} == extract_messages(package)
    for message in catalogue:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms), message.id
        assert not message.fuzzy


def test_no_message_is_in_an_f_string(package: str) -> None:
    for folder, _ in PACKAGES[package]:
        for file in sorted((ROOT / folder).rglob("*.py")):
            nodes = ast.walk(ast.parse(file.read_bytes()))
            f_strings = [node for node in nodes if type(node) is ast.JoinedStr]
            for node in (inner for text in f_strings for inner in ast.walk(text)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    constants = [type(arg) is ast.Constant for arg in node.args]
                    assert not (node.func.id in KEYWORDS and any(constants)), (
                        f"{file}:{node.lineno}"
                    )


def test_translations_keep_placeholders(catalogue: Catalog) -> None:
    for message in catalogue:
        if message.id:
            sources, translations = (
                text if isinstance(text, tuple) else (text,)
                for text in (message.id, message.string)
            )
            for source, translation in zip(sources, translations, strict=True):
                assert {*PLACEHOLDER.findall(translation)} == {*PLACEHOLDER.findall(source)}


def test_plural_is_not_shorter_than_singular(catalogue: Catalog) -> None:
    """In Portuguese, exchanged forms would be: movimento, movimentos."""
    for message in catalogue:
        if isinstance(message.id, tuple):
            one, several = message.string
            assert len(one) <= len(several)
