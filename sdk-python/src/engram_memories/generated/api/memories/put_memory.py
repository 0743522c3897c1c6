# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...._request import Request, body_of, conditional, path_of
from ...models.memory import Memory
from ...models.memory_kind import MemoryKind
from ...models.new_source import NewSource
from ...types import UNSET, Unset


def request(
    *,
    content: str,
    external_id: str,
    parts: Any | Unset = UNSET,
    sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
    kind: MemoryKind | Unset = UNSET,
    source: str | None | Unset = UNSET,
    agent_id: str | None | Unset = UNSET,
    user_id: str | None | Unset = UNSET,
    shared: bool | None | Unset = UNSET,
    tags: Sequence[str] | Unset = UNSET,
    summary: str | None | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    valid_from: str | None | Unset = UNSET,
    valid_until: str | None | Unset = UNSET,
    occurred_at: str | None | Unset = UNSET,
    expires_at: str | None | Unset = UNSET,
    supersedes: str | None | Unset = UNSET,
    created_at: str | Unset = UNSET,
    wait: Literal["indexed"] | Unset = UNSET,
    if_match: str | Unset = UNSET,
) -> Request[Memory]:
    return Request(
        "PUT",
        path_of(
            "/v1/memories",
        ),
        parse,
        headers={
            **conditional(if_match),
        },
        content=body_of(
            content=content,
            external_id=external_id,
            parts=parts,
            sources=sources,
            kind=kind,
            source=source,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            tags=tags,
            summary=summary,
            metadata=metadata,
            valid_from=valid_from,
            valid_until=valid_until,
            occurred_at=occurred_at,
            expires_at=expires_at,
            supersedes=supersedes,
            created_at=created_at,
            wait=wait,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Memory:
    response_201 = Memory.from_dict(body)

    return response_201
