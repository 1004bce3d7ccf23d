"""What all drawn pictures have in common: how long they are kept, and for which light they are."""

from __future__ import annotations

from flask import Response, request

from tilework.core.drawing.colours import Light
from tilework.core.errors import OptionError

SVG = "image/svg+xml"


def kept(content: bytes | str, kind: str, age_s: int) -> Response:
    """Answer with a picture, or with nothing where the browser has the same."""
    answer = Response(content, mimetype=kind)
    answer.cache_control.public = True
    answer.cache_control.max_age = age_s
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def asked_light() -> Light:
    """Return the light that the address asks for.

    Raises
    ------
    OptionError
        If there is no such light.
    """
    text = request.args.get("light", Light.LIGHT)
    try:
        return Light(text)
    except ValueError:
        raise OptionError(
            "choice",
            "{text!r} is not available; choose from {offered}",
            text=text[:40],
            offered=", ".join(Light),
        ) from None
