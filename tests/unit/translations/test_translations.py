"""The catalogues are complete: no message is untranslated or obsolete."""

import ast
import gettext
import pickle
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tilework.core.errors import BoardSyntaxError, OptionError, QuotaError, UnsolvableError
from tilework.core.messages import ENGLISH, Language, Message, plural, translations, untranslated
from tilework.core.puzzle.board import Size
from tilework.core.search.limits import StopReason

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class CatalogueEntry:
    """A message and where it is created; `code` is None for a plural within another message."""

    location: str
    code: str | None
    template: str
    plural: str | None = None


def error_names() -> set[str]:
    """Return the names of the error classes, which all take a code and a template."""
    tree = ast.parse((ROOT / "core" / "errors.py").read_text())
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


@cache
def source_trees(package: str) -> list[tuple[Path, ast.Module]]:
    """Return the path and the syntax tree of every module of a package."""
    paths = sorted((ROOT / package).rglob("*.py"))
    return [(path.relative_to(ROOT), ast.parse(path.read_bytes())) for path in paths]


@cache
def message_calls() -> list[tuple[str, str, list[ast.expr]]]:
    """Return location, name and arguments of every call that creates a message or an error."""
    names = error_names() | {"Message", "plural"}
    return [
        (f"{path}:{node.lineno}", node.func.id, node.args)
        for package in ("core", "web", "worker", "tilework")
        for path, tree in source_trees(package)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]


def catalogue() -> Iterator[CatalogueEntry]:
    """Yield every message with a template."""
    for location, name, args in message_calls():
        strings = [arg.value if isinstance(arg, ast.Constant) else None for arg in args]
        if name == "plural" and len(strings) == 3 and strings[1] and strings[2]:
            yield CatalogueEntry(location, strings[0], strings[1], strings[2])
        elif name != "plural" and len(strings) == 2 and strings[1]:
            yield CatalogueEntry(location, strings[0], strings[1])


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
    "Subcommand": (2,),
    "gettext_noop": None,
    "say_words": None,
    **dict.fromkeys(("Message", *error_names()), (2,)),
}
PACKAGES = {
    "web": [
        (
            "web",
            [
                ("**.py", "python"),
                ("templates/**.html", "jinja2"),
                ("static/js/**.js", "javascript"),
            ],
        )
    ],
    "core": [
        (
            "core",
            [("cli/commands.py", "tools.devtools.help_texts:extract"), ("**.py", "python")],
        ),
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
def po_file(package: str) -> Catalog:
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


def test_every_message_is_translated_and_none_is_obsolete(package: str, po_file: Catalog) -> None:
    assert {message.id for message in po_file if message.id} == extract_messages(package)
    for message in po_file:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms), message.id
        assert not message.fuzzy


def test_no_message_is_in_an_f_string(package: str) -> None:
    for folder, _ in PACKAGES[package]:
        for file, tree in source_trees(folder):
            f_strings = [node for node in ast.walk(tree) if type(node) is ast.JoinedStr]
            for node in (inner for text in f_strings for inner in ast.walk(text)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    constants = [type(arg) is ast.Constant for arg in node.args]
                    assert not (node.func.id in KEYWORDS and any(constants)), (
                        f"{file}:{node.lineno}"
                    )


def test_translations_keep_placeholders(po_file: Catalog) -> None:
    for message in po_file:
        if message.id:
            sources, translations = (
                text if isinstance(text, tuple) else (text,)
                for text in (message.id, message.string)
            )
            for source, translation in zip(sources, translations, strict=True):
                assert {*PLACEHOLDER.findall(translation)} == {*PLACEHOLDER.findall(source)}


CODES = (ROOT / "tests/data/message_codes.txt").read_text().split()
PORTUGUESE = gettext.translation("messages", ROOT / "web" / "translations", ["pt"])
PORTUGUESE.add_fallback(translations(Language.PORTUGUESE))  # type: ignore[arg-type]


def test_codes_do_not_change() -> None:
    """Clients compare codes, so a new one is added to the file, and none is renamed."""
    templates = defaultdict(set)
    for call in catalogue():
        if call.code is not None:
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", call.code), call
            templates[call.code].add(call.template)
    assert sorted(templates) == CODES
    assert {code: texts for code, texts in templates.items() if len(texts) > 1} == {}


def test_no_sentence_is_concatenated() -> None:
    for location, name, args in message_calls():
        for arg in args:
            assert not isinstance(arg, ast.JoinedStr | ast.BinOp), f"{location}: {name}"
        is_single_text = len(args) == 1 and isinstance(args[0], ast.Constant)
        assert not is_single_text, f"{location}: {name} without a template"


def make_example(call: CatalogueEntry) -> tuple[Message, set[str]]:
    """Return the message with a value for each placeholder, and how these values are shown."""
    fields = [field for field in Formatter().parse(call.plural or call.template) if field[1]]
    # A format such as `:,` needs a number.
    values = {name: 97_531 if spec else f"‹{name}›" for _, name, spec, _ in fields}
    code = call.code or "of-another"
    if call.plural is None:
        return Message(code, call.template, **values), {*map(str, values.values())}
    values |= dict.fromkeys(values.keys() & {"count"}, 97_531)
    message = plural(code, call.template, call.plural, **{"count": 97_531} | values)
    return message, {*map(str, values.values())}


def test_every_message_shows_its_values_in_both_languages() -> None:
    for call in catalogue():
        message, shown = make_example(call)
        portuguese = Message.from_json(message.to_json()).translate(PORTUGUESE)
        has_words = re.search(r"[a-z]", re.sub(r"\{.*?\}|--\w+", "", call.template))
        assert (str(message) != portuguese) == bool(has_words), call
        for text in (str(message), portuguese):
            plain = re.sub(r"(?<=\d)[.,](?=\d)", "", text)
            assert all(value in plain for value in shown), text
            assert "{" not in text


class CapitalsTranslation(NullTranslations):
    """Translates templates to capitals, and adds an exclamation mark to plurals."""

    def gettext(self, message: str) -> str:
        return message.replace("board", "BOARD").replace("tile", "TILE")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2) + "!" * (n != 1)


def test_message_in_a_message_is_translated_with_it() -> None:
    inner = plural("tiles", "{count} tile", "{count} tiles", count=2)
    message = Message("board-in-batch", "board {place}: {error}", place=4, error=inner)
    assert message.translate(CapitalsTranslation()) == "BOARD 4: 2 TILEs!"
    assert message.translate(ENGLISH) == "board 4: 2 tiles"


def test_braces_in_values_are_not_replaced() -> None:
    assert str(untranslated("{size} {0} %(x)s {")) == "{size} {0} %(x)s {"
    assert str(Message("quoted", "{text!r}", text="{}")) == "'{}'"


def test_values_of_any_type_can_be_stored() -> None:
    inner = plural("tiles", "{count} tile", "{count} tiles", count=np.int64(2))
    message = Message(
        "all",
        "{size} {number:g} {tile} {reason} {inner}",
        size=Size(3, 4),
        number=2.5,
        tile=np.int32(7),
        reason=StopReason.TIME,
        inner=inner,
    )
    text = message.to_json()
    assert Message.from_json(text) == message != inner
    assert hash(Message.from_json(text)) == hash(message)
    assert str(Message.from_json(text)) == str(message) == "3×4 2.5 7 time 2 tiles"


def test_stored_text_without_a_code_is_unchanged() -> None:
    for text in ("The run was cancelled.", '"quoted"', "12", "{}", '{"code": 1}', ""):
        assert str(Message.from_json(text)) == text


def test_errors_have_the_text_and_code_of_their_message() -> None:
    error = OptionError("time-limit", "a time limit of {limit:g} s", limit=0.5)
    assert str(error) == "a time limit of 0.5 s"
    assert (error.code, error.message.values) == ("time-limit", {"limit": 0.5})
    assert str(OptionError(error.message)) == str(error)


def test_errors_can_be_pickled() -> None:
    explanation = Message("odd-sum", "{sum} is odd", sum=3)
    for error in (
        QuotaError("quota", "{count} jobs", count=3, retry_after_s=9),
        BoardSyntaxError("tile", "no tile", line=2, column=5),
        UnsolvableError("unsolvable", "no way", explanation=explanation),
    ):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.message, vars(copy)) == (type(error), error.message, vars(error))
