"""Every message in the source code, found by parsing it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "web", "worker", "tilework")


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
        for package in PACKAGES
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
