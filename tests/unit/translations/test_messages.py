"""``tests/data/messages.json`` has every message, with an example in both languages.

New messages are added there by hand; this module compares them with the source code.
"""

import ast
import gettext
import json
import re
from collections import defaultdict
from typing import Any

from tests.support.message_catalogue import ROOT, catalogue, message_calls
from tilework.core.messages import Language, Message, translations

ENTRIES: list[dict[str, Any]] = json.loads((ROOT / "tests/data/messages.json").read_text())
PORTUGUESE = gettext.translation("messages", ROOT / "web" / "translations", ["pt"])
PORTUGUESE.add_fallback(translations(Language.PORTUGUESE))  # type: ignore[arg-type]


def test_file_has_exactly_the_messages_of_the_source_code() -> None:
    templates, codes_by_template = defaultdict(set), defaultdict(set)
    calls = list(catalogue())
    for call in calls:
        if call.code is not None:
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", call.code), call
            templates[call.code].add(call.template)
            codes_by_template[call.template].add(call.code)
    entries = {(entry["template"], entry.get("plural")) for entry in ENTRIES}
    assert entries == {(call.template, call.plural) for call in calls}
    assert {code: texts for code, texts in templates.items() if len(texts) > 1} == {}
    for entry in ENTRIES:
        codes = {entry["code"], *entry.get("also", [])} - {None}
        assert codes == codes_by_template[entry["template"]], entry["template"]


def test_no_sentence_is_concatenated() -> None:
    for location, name, args in message_calls():
        for arg in args:
            assert not isinstance(arg, ast.JoinedStr | ast.BinOp), f"{location}: {name}"
        is_single_text = len(args) == 1 and isinstance(args[0], ast.Constant)
        assert not is_single_text, f"{location}: {name} without a template"


def test_examples_are_formatted_in_both_languages() -> None:
    for entry in ENTRIES:
        message = Message.from_json(json.dumps(entry | {"code": entry["code"] or "of-another"}))
        assert str(message) == entry["en"]
        assert message.translate(PORTUGUESE) == entry["pt"]
