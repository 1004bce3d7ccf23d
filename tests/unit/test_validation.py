import math
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tilework.core.errors import TileworkError
from tilework.core.formats.certificate import Certificate
from tilework.core.machine import user_cache, user_databases, user_state
from tilework.core.remote import load_cookies
from tilework.core.settings import Settings
from tilework.core.validation import describe_error

BAD = (None, True, -1, 0, 10**400, 1.5, math.inf, "", "a", "x" * 10_000, b"a", [], [1], {})
PYDANTIC_WORDS = re.compile(r"Input|should|Extra|Field|Value error|Assertion|documentation")


def models() -> Iterator[type[BaseModel]]:
    """Yield every model of the API, and those of settings and certificates."""
    api = import_module("tilework.web.api")
    for module in pkgutil.walk_packages(api.__path__, "tilework.web.api."):
        import_module(module.name)
    waiting: list[type[BaseModel]] = [BaseModel]
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        if model.__module__.startswith("tilework.web."):
            yield model
    yield from (Settings, Certificate)


def errors() -> Iterator[ErrorDetails]:
    for model in models():
        for name, field in model.model_fields.items():
            for value in BAD:
                fields = {str(field.validation_alias or name): value, "unknown": 1}
                try:
                    model.model_validate(fields)
                except ValidationError as error:
                    yield from error.errors(include_url=False)
                except (AttributeError, TypeError, TileworkError):
                    continue  # a response, which is created from objects


def test_no_message_has_pydantics_words() -> None:
    kinds: dict[str, str] = {}
    for error in errors():
        if error["type"] not in kinds:
            kinds[error["type"]] = str(describe_error(error))
    # A response computes it from other fields, which are valid.
    del kinds["default_factory_not_called"]
    assert len(kinds) > 15
    for kind, sentence in kinds.items():
        assert not PYDANTIC_WORDS.search(sentence), f"{kind}: {sentence}"


@pytest.mark.parametrize(
    ("environment", "cache", "state"),
    [
        ("", "home/.cache/tilework", "home/.local/state/tilework"),
        ("{}/other", "other/tilework", "other/tilework"),
    ],
)
def test_user_folders(tmp_path, monkeypatch, environment, cache, state):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, environment.format(tmp_path))
    assert user_databases() == tmp_path / cache / "databases"
    assert (user_cache(), user_state()) == (tmp_path / cache, tmp_path / state)
    assert load_cookies("http://127.0.0.1:8000") == {}
    assert list(tmp_path.iterdir()) == []  # no folder is created
