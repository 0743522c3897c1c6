# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, json_of, path_of, query_of
from ...models.list_memories_kind import ListMemoriesKind
from ...models.list_memories_order import ListMemoriesOrder
from ...models.list_memories_sort import ListMemoriesSort
from ...models.list_memories_visibility_item import ListMemoriesVisibilityItem
from ...models.memory_page import MemoryPage
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    include_total: bool | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    kind: ListMemoriesKind | Unset = UNSET,
    source: str | Unset = UNSET,
    visibility: Sequence[ListMemoriesVisibilityItem] | Unset = UNSET,
    external_id: str | Unset = UNSET,
    exact_owner: bool | Unset = UNSET,
    source_conversation_id: str | Unset = UNSET,
    source_message_id: str | Unset = UNSET,
    tags_any: Sequence[str] | Unset = UNSET,
    tags_all: Sequence[str] | Unset = UNSET,
    created_after: str | Unset = UNSET,
    created_before: str | Unset = UNSET,
    valid_at: str | Unset = UNSET,
    occurred_after: str | Unset = UNSET,
    occurred_before: str | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    sort: ListMemoriesSort | Unset = UNSET,
    order: ListMemoriesOrder | Unset = UNSET,
    as_of: str | Unset = UNSET,
) -> Request[MemoryPage]:
    return Request(
        "GET",
        path_of(
            "/v1/memories",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
            include_total=include_total,
            agent_id=agent_id,
            user_id=user_id,
            kind=kind,
            source=source,
            visibility=visibility,
            external_id=external_id,
            exact_owner=exact_owner,
            source_conversation_id=source_conversation_id,
            source_message_id=source_message_id,
            tags_any=tags_any,
            tags_all=tags_all,
            created_after=created_after,
            created_before=created_before,
            valid_at=valid_at,
            occurred_after=occurred_after,
            occurred_before=occurred_before,
            metadata=json_of(metadata),
            sort=sort,
            order=order,
            as_of=as_of,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MemoryPage:
    response_200 = MemoryPage.from_dict(body)

    return response_200
