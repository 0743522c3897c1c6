"""Texts of the messages of agent frameworks."""

from __future__ import annotations

import re
from typing import Any

_NAME_CHARACTERS_MAX = 256


def text_of(content: Any) -> str:
    """The content if it is a text, or the texts of its parts, one per line."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, (list, tuple)) else [content]
    texts = (part if isinstance(part, str) else part.get("text") if isinstance(part, dict) else None for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))


def short_name(name: str | None) -> str | None:
    """A name as the service accepts it, without control characters and not too long. None if empty."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", (name or "")[:_NAME_CHARACTERS_MAX]) or None
