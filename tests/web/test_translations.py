"""The translations are whole: nothing untranslated or left over, compiled as it is written."""

from __future__ import annotations

import re
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import web

ROOM = Path(web.__file__).parent
FOLDER = ROOM / "translations" / "pt" / "LC_MESSAGES"
METHODS = [("pages/**.py", "python"), ("templates/**.html", "jinja2")]
KEYWORDS = {"_": None, "gettext": None, "lazy_gettext": None, "ngettext": (1, 2)}
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")


@pytest.fixture(scope="module")
def translations() -> Catalog:
    with (FOLDER / "messages.po").open("rb") as file:
        return read_po(file, locale="pt")


def sources() -> set[str | tuple[str, ...]]:
    found = extract_from_dir(str(ROOM), METHODS, keywords=KEYWORDS)
    return {message for _file, _line, message, _comments, _context in found}


def test_every_message_is_translated_and_none_is_left_over(translations: Catalog) -> None:
    assert {message.id for message in translations if message.id} == sources()
    for message in translations:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms), message.id
        assert not message.fuzzy


def test_translations_keep_what_is_filled_in(translations: Catalog) -> None:
    for message in translations:
        if message.id and isinstance(message.string, str):
            assert set(PLACEHOLDER.findall(message.string)) == set(PLACEHOLDER.findall(message.id))


def test_the_compiled_translations_are_those_of_the_text(translations: Catalog) -> None:
    compiled = BytesIO()
    write_mo(compiled, translations)
    fresh = GNUTranslations(BytesIO(compiled.getvalue()))
    with (FOLDER / "messages.mo").open("rb") as file:
        kept = GNUTranslations(file)
    assert kept._catalog == fresh._catalog
