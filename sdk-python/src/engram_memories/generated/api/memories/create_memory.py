# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...._request import Request, body_of, idempotent, path_of
from ...models.captured_memory import CapturedMemory
from ...models.memory_kind import MemoryKind
from ...models.new_source import NewSource
from ...types import UNSET, Unset


def request(
    *,
    content: str,
    parts: Any | Unset = UNSET,
    sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
    kind: MemoryKind | Unset = UNSET,
    source: str | None | Unset = UNSET,
    agent_id: str | None | Unset = UNSET,
    user_id: str | None | Unset = UNSET,
    shared: bool | None | Unset = UNSET,
    external_id: str | None | Unset = UNSET,
    tags: Sequence[str] | Unset = UNSET,
    summary: str | None | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    valid_from: str | None | Unset = UNSET,
    valid_until: str | None | Unset = UNSET,
    occurred_at: str | None | Unset = UNSET,
    expires_at: str | None | Unset = UNSET,
    supersedes: str | None | Unset = UNSET,
    created_at: str | Unset = UNSET,
    check_conflicts: bool | Unset = UNSET,
    wait: Literal["indexed"] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[CapturedMemory]:
    return Request(
        "POST",
        path_of(
            "/v1/memories",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            content=content,
            parts=parts,
            sources=sources,
            kind=kind,
            source=source,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            external_id=external_id,
            tags=tags,
            summary=summary,
            metadata=metadata,
            valid_from=valid_from,
            valid_until=valid_until,
            occurred_at=occurred_at,
            expires_at=expires_at,
            supersedes=supersedes,
            created_at=created_at,
            check_conflicts=check_conflicts,
            wait=wait,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> CapturedMemory:
    response_201 = CapturedMemory.from_dict(body)

    return response_201
