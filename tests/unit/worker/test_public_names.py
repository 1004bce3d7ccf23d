"""The worker uses only public names of Celery and kombu, so that their next version fits."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import tilework.worker

LIBRARIES = ("celery", "kombu")
MODULES = sorted(Path(tilework.worker.__path__[0]).glob("*.py"))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_names(tree: ast.AST) -> Iterator[str]:
    """Yield private attributes of anything but ``self``, and private names that are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            owner = ast.unparse(node.value)
            if owner not in ("self", "os"):
                yield f"{owner}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(LIBRARIES):
            yield from (alias.name for alias in node.names if is_private(alias.name))


def overridden_names(module: str) -> Iterator[str]:
    """Yield private names of the libraries' classes that a subclass replaces."""
    for _, subclass in inspect.getmembers(importlib.import_module(module), inspect.isclass):
        for base in subclass.__mro__[1:]:
            if subclass.__module__ == module and base.__module__.startswith(LIBRARIES):
                names = {name for name in vars(subclass) if is_private(name)}
                yield from (f"{subclass.__name__}.{name}" for name in names & vars(base).keys())


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_only_public_names_are_used(path: Path) -> None:
    assert list(private_names(ast.parse(path.read_text()))) == []
    if path.stem not in ("__init__", "celeryconfig"):
        assert list(overridden_names(f"tilework.worker.{path.stem}")) == []
