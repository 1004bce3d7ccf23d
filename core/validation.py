"""The errors of pydantic in our own words, for requests, settings and certificates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from tilework.core.arguments import EXAMPLE_ID, TEXT, TRUE_OR_FALSE, invalid, quote
from tilework.core.errors import OptionError
from tilework.core.messages import Message

Model = TypeVar("Model")

_CUSTOM: Final = "custom"

_WHOLE_NUMBER: Final = Message("whole-number", "a whole number")
_SMALLER_NUMBER: Final = Message("smaller-number", "a smaller number")
_NUMBER: Final = Message("number-type", "a number")
_OTHER: Final = Message("value-form", "a value as the documentation describes it")
_LIST: Final = Message("list", "a list")
_OBJECT: Final = Message("object", "an object")
_ID: Final = Message("id-form", "an id such as {example}")

# By the type of the error; the names in braces are pydantic's.
_ALLOWED: Final[Mapping[str, Message]] = {
    "int_type": _WHOLE_NUMBER,
    "int_parsing": _WHOLE_NUMBER,
    "int_from_float": _WHOLE_NUMBER,
    "int_parsing_size": _SMALLER_NUMBER,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": Message("finite", "a finite number"),
    "bool_type": TRUE_OR_FALSE,
    "bool_parsing": TRUE_OR_FALSE,
    "string_type": TEXT,
    "string_unicode": TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "dataclass_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "uuid_type": _ID,
    "uuid_parsing": _ID,
    "enum": Message("one-of", "one of {expected}"),
    "literal_error": Message("one-of", "one of {expected}"),
    "greater_than": Message("more-than", "a number greater than {gt}"),
    "greater_than_equal": Message("number-from", "a number of at least {ge}"),
    "less_than": Message("less-than", "a number less than {lt}"),
    "less_than_equal": Message("number-to", "a number of at most {le}"),
    "too_short": Message("list-from", "a list with a length of at least {min_length}"),
    "too_long": Message("list-to", "a list with a length of at most {max_length}"),
    "string_too_short": Message("text-from", "a string with a length of at least {min_length}"),
    "string_too_long": Message("text-to", "a string with a length of at most {max_length}"),
    "string_pattern_mismatch": Message("text-form", "a string of the form {pattern}"),
    "example": Message("such-as", "a value such as {example}"),
    "path_type": Message("path-form", "a path"),
}


def custom_error(message: Message) -> PydanticCustomError:
    """Return the error of a validator whose message is a complete sentence."""
    return PydanticCustomError(_CUSTOM, "{message}", {"message": message})


def validate(model: type[Model], values: Mapping[str, Any], names: Mapping[str, str]) -> Model:
    """Return the model of typed values; raise OptionError for the first that is invalid.

    ``names``: what the user calls the fields of the model.
    """
    try:
        return TypeAdapter(model).validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        message = describe_error(first)
        name = next((names[str(part)] for part in reversed(first["loc"]) if part in names), None)
        if name is not None:
            message = Message("at-field", "{field}: {error}", field=name, error=message)
        raise OptionError(message) from None


def describe_error(error: Mapping[str, Any], name: str | None = None) -> Message:
    """Describe one of the ``errors()`` of a `ValidationError`, without its location."""
    kind, values = error["type"], error.get("ctx", {})
    if kind == _CUSTOM:
        message: Message = values["message"]
        return message
    if kind == "missing":
        return Message("field-missing", "this field is required")
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return Message("field-unknown", "this field is not permitted here; omit it")
    if kind == "json_invalid":
        return Message("no-json", "this is not JSON: {reason}", reason=values["error"])
    allowed = _ALLOWED.get(kind, _OTHER)
    values = {"example": EXAMPLE_ID} | {key: _shorten(value) for key, value in values.items()}
    allowed = Message(allowed.code, allowed.template, **values)
    given = error["input"]
    if name is not None:
        return invalid(name, given, allowed)
    return Message(
        "value", "invalid value {given}; use {allowed}", given=quote(given), allowed=allowed
    )


def describe_value(error: BaseException) -> str:
    """Return the value that is not valid and what to use instead, in English; empty if unknown."""
    if not isinstance(error, ValidationError):
        return ""
    message = describe_error(error.errors(include_url=False)[0])
    if message.code != "value" or message.values["allowed"].code == _OTHER.code:
        return ""
    return f"{message.values['given']}; use {message.values['allowed']}"


def _shorten(value: object) -> object:
    if isinstance(value, str):
        return value.replace(" or ", ", ")
    return int(value) if isinstance(value, float) and value.is_integer() else value
