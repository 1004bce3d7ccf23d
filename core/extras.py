"""Optional dependencies, which `pip install 'tilework[…]'` installs."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from tilework.core.errors import MissingExtraError

_MODULES: Final = {
    "pictures": ("cv2", "PIL"),
    "tracing": ("opentelemetry.exporter.otlp.proto.http",),
}


def require_extra(extra: str) -> None:
    """Raise an error that says how to install an extra, unless its libraries are installed."""
    if not all(map(_is_installed, _MODULES[extra])):
        raise MissingExtraError(
            "missing-extra",
            "this needs libraries that are not installed; install them with: "
            "pip install 'tilework[{extra}]'",
            extra=extra,
        )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a parent package
        return False
