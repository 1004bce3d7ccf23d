"""``tests/data/messages.json`` has every message, with an example in both languages.

New messages are added there by hand; their texts are compared with the sources.
"""

import ast
import gettext
import json
import re
import string
from collections import defaultdict
from typing import Any

from tests.support.message_catalogue import ROOT, catalogue, message_calls
from tilework.core.messages import Language, Message, translations

ENTRIES: list[dict[str, Any]] = json.loads((ROOT / "tests/data/messages.json").read_text())
PORTUGUESE = gettext.translation("messages", ROOT / "web" / "translations", ["pt"])
PORTUGUESE.add_fallback(translations(Language.PORTUGUESE))  # type: ignore[arg-type]


def names_in(template: str) -> set[str]:
    return {
        f"{name}:{spec}!{how}" for _, name, spec, how in string.Formatter().parse(template) if name
    }


def test_list_has_exactly_the_messages_of_the_sources() -> None:
    templates_of, codes_of = defaultdict(set), defaultdict(set)
    calls = list(catalogue())
    for call in calls:
        if call.code is not None:
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", call.code), call
            templates_of[call.code].add(call.template)
            codes_of[call.template].add(call.code)
    entries = {(entry["template"], entry.get("plural")) for entry in ENTRIES}
    assert entries == {(call.template, call.plural) for call in calls}
    assert {code: found for code, found in templates_of.items() if len(found) > 1} == {}
    for entry in ENTRIES:
        codes = {entry["code"], *entry.get("also", [])} - {None}
        assert codes == codes_of[entry["template"]], entry["template"]


def test_no_sentence_is_concatenated() -> None:
    for location, name, args in message_calls():
        for arg in args:
            assert not isinstance(arg, ast.JoinedStr | ast.BinOp), f"{location}: {name}"
        lone = len(args) == 1 and isinstance(args[0], ast.Constant)
        assert not lone, f"{location}: {name} without a template"


def test_each_example_has_the_same_values_in_both_languages() -> None:
    for entry in ENTRIES:
        message = Message.from_json(json.dumps(entry | {"code": entry["code"] or "of-another"}))
        assert str(message) == entry["en"]
        assert message.translate(PORTUGUESE) == entry["pt"]
        template, several = entry["template"], entry.get("plural")
        if several is None:
            assert names_in(PORTUGUESE.gettext(template)) == names_in(template)
        else:
            for count, source in ((1, template), (2, several)):
                translated = PORTUGUESE.ngettext(template, several, count)
                assert names_in(translated) == names_in(source)
