import pickle
from gettext import NullTranslations

import numpy as np

from tilework.core.errors import BoardSyntaxError, OptionError, QuotaError, UnsolvableError
from tilework.core.messages import ENGLISH, Message, plural, untranslated
from tilework.core.puzzle.board import Size
from tilework.core.search.limits import StopReason


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
