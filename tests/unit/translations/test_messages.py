"""``tests/data/messages.json`` has every message that there is, with an example in both languages.

A new message is entered there by hand; its words are compared with what the sources say.
"""

from __future__ import annotations

import ast
import gettext
import json
import re
import string
from collections import defaultdict
from typing import Any

import pytest

from tests.support.european import EUROPEAN
from tests.support.said import ROOT, calls, messages
from tilework.core.languages import Language, translations
from tilework.core.messages import Message

ENTRIES: list[dict[str, Any]] = json.loads((ROOT / "tests/data/messages.json").read_text())
PORTUGUESE = gettext.translation("messages", ROOT / "web" / "translations", ["pt"])
PORTUGUESE.add_fallback(translations(Language.PORTUGUESE))  # type: ignore[arg-type]

# Words that the field does not use, or that are not grammar.
STRANGE = re.compile(
    r"\b(is no (board|size|tile|method|goal|width)|heard|are taken here|set aside|broke its"
    r"|1 (moves|jobs|tiles|cells|nodes|runs|boards|minutes|hours))\b"
)


def names_in(template: str) -> set[str]:
    return {
        f"{name}:{spec}!{how}" for _, name, spec, how in string.Formatter().parse(template) if name
    }


def test_the_list_has_just_the_messages_of_the_sources() -> None:
    said = {(one.template, one.plural) for one in messages()}
    assert {(entry["template"], entry.get("plural")) for entry in ENTRIES} == said


def test_each_message_is_listed_with_all_its_codes() -> None:
    codes = defaultdict(set)
    for one in messages():
        if one.code is not None:
            codes[one.template].add(one.code)
    listed = {
        entry["template"]: {entry["code"], *entry.get("also", [])} - {None} for entry in ENTRIES
    }
    assert listed == {template: codes[template] for template in listed}


def test_a_code_says_one_thing() -> None:
    templates = defaultdict(set)
    for one in messages():
        if one.code is not None:
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.code), one
            templates[one.code].add(one.template)
    assert {code: found for code, found in templates.items() if len(found) > 1} == {}


def test_no_sentence_is_put_together_where_it_cannot_be_translated() -> None:
    for place, name, args in calls():
        for arg in args:
            assert not isinstance(arg, ast.JoinedStr | ast.BinOp), f"{place}: {name}"
        lone = len(args) == 1 and isinstance(args[0], ast.Constant)
        assert not lone, f"{place}: {name} without a template"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["code"] or entry["template"])
def test_an_example_is_said_in_both_languages(entry: dict[str, Any]) -> None:
    message = Message.from_json(json.dumps(entry | {"code": entry["code"] or "of-another"}))
    assert str(message) == entry["en"]
    assert message.said(PORTUGUESE) == entry["pt"]
    assert not STRANGE.search(entry["en"])
    assert not EUROPEAN.search(entry["pt"])


def test_translations_fill_in_the_same_values() -> None:
    for entry in ENTRIES:
        template, several = entry["template"], entry.get("plural")
        if several is None:
            assert names_in(PORTUGUESE.gettext(template)) == names_in(template)
        else:
            for count, words in ((1, template), (2, several)):
                translated = PORTUGUESE.ngettext(template, several, count)
                assert names_in(translated) == names_in(words)
