# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._request import Request, body_of, conditional, path_of
from ...models.memory import Memory
from ...models.new_source import NewSource
from ...types import UNSET, Unset


def request(
    memory_id: str,
    *,
    content: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    shared: bool | Unset = UNSET,
    sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
    source: str | None | Unset = UNSET,
    tags: Sequence[str] | Unset = UNSET,
    summary: str | None | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    valid_from: str | None | Unset = UNSET,
    valid_until: str | None | Unset = UNSET,
    occurred_at: str | None | Unset = UNSET,
    expires_at: str | None | Unset = UNSET,
    if_match: str | Unset = UNSET,
) -> Request[Memory]:
    return Request(
        "PATCH",
        path_of(
            "/v1/memories/{memory_id}",
            memory_id=memory_id,
        ),
        parse,
        headers={
            **conditional(if_match),
        },
        content=body_of(
            content=content,
            user_id=user_id,
            shared=shared,
            sources=sources,
            source=source,
            tags=tags,
            summary=summary,
            metadata=metadata,
            valid_from=valid_from,
            valid_until=valid_until,
            occurred_at=occurred_at,
            expires_at=expires_at,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Memory:
    response_200 = Memory.from_dict(body)

    return response_200
