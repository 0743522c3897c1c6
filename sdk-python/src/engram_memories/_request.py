"""What the generated operations build: a request, without the client that sends it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from .generated.types import UNSET, Unset

T = TypeVar("T")


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request, and how to read the body of its response."""

    method: str
    path: str
    parse: Callable[[int, Any], T]
    """Makes the result from the status and the JSON of a response."""
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    repeatable: bool = True
    """Whether the request may be sent again: everything but a POST without an idempotency key that has an effect."""


def path_of(template: str, **ids: str) -> str:
    """The path with its ids. An id that would change the path is refused."""
    for name, value in ids.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a string, not {value!r}")
        if value in ("", ".", ".."):
            raise ValueError(f"{name} must be an id, not {value!r}")
    return template.format(**{name: quote(value, safe="") for name, value in ids.items()})


def query_of(**parameters: Any) -> dict[str, Any]:
    """The parameters that are given."""
    return {name.rstrip("_"): value for name, value in parameters.items() if value is not UNSET and value is not None}


def json_of(value: Any) -> Any:
    """The JSON of a filter that a query has as one text."""
    return value if value is UNSET or value is None else json.dumps(value, ensure_ascii=False)


def idempotent(key: str | None) -> dict[str, str]:
    """The header that makes a write safe to retry. A new idempotency key is generated unless the caller passes one."""
    return {"idempotency-key": key or secrets.token_hex(16)}


def conditional(etag: str | Unset) -> dict[str, str]:
    """The header that makes a change depend on a version."""
    if isinstance(etag, Unset):
        return {}
    if not isinstance(etag, str):
        raise TypeError("if_match is None: the response that it comes from had no ETag")
    return {"if-match": etag}


def body_of(**fields: Any) -> bytes:
    """The JSON body of the fields that are given. NaN is refused, because JSON does not have it."""
    given = {name.rstrip("_"): plain(value) for name, value in fields.items() if value is not UNSET}
    return json_bytes(given)


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def plain(value: Any) -> Any:
    """A value with dictionaries in place of models."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain(each) for each in value]
    return value
