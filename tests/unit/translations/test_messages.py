"""Every message of the source code: its code, and how it is formatted in both languages."""

import ast
import gettext
import re
from collections import defaultdict
from string import Formatter

from tests.support.message_catalogue import ROOT, CatalogueEntry, catalogue, message_calls
from tilework.core.messages import Language, Message, plural, translations

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
