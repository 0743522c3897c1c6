# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.memory_search_answer import MemorySearchAnswer
from ...models.search_memories_body_kind import SearchMemoriesBodyKind
from ...models.search_memories_body_mode import SearchMemoriesBodyMode
from ...models.search_memories_body_record_type_1 import SearchMemoriesBodyRecordType1
from ...models.search_memories_body_visibility_item import (
    SearchMemoriesBodyVisibilityItem,
)
from ...types import UNSET, Unset


def request(
    *,
    query: str,
    exclude: Sequence[str] | Unset = UNSET,
    mode: SearchMemoriesBodyMode | Unset = UNSET,
    limit: int | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    visibility: Sequence[SearchMemoriesBodyVisibilityItem] | Unset = UNSET,
    kind: SearchMemoriesBodyKind | Unset = UNSET,
    source: str | Unset = UNSET,
    tags_any: Sequence[str] | Unset = UNSET,
    tags_all: Sequence[str] | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    created_after: str | Unset = UNSET,
    created_before: str | Unset = UNSET,
    as_of: str | Unset = UNSET,
    valid_at: str | Unset = UNSET,
    explain: bool | Unset = UNSET,
    rerank: bool | Unset = UNSET,
    min_relevance: float | Unset = UNSET,
    keep_best: int | Unset = UNSET,
    record: bool | SearchMemoriesBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
    max_tokens: int | Unset = UNSET,
) -> Request[MemorySearchAnswer]:
    return Request(
        "POST",
        path_of(
            "/v1/memories/search",
        ),
        parse,
        content=body_of(
            query=query,
            exclude=exclude,
            mode=mode,
            limit=limit,
            agent_id=agent_id,
            user_id=user_id,
            visibility=visibility,
            kind=kind,
            source=source,
            tags_any=tags_any,
            tags_all=tags_all,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
            as_of=as_of,
            valid_at=valid_at,
            explain=explain,
            rerank=rerank,
            min_relevance=min_relevance,
            keep_best=keep_best,
            record=record,
            max_tokens=max_tokens,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MemorySearchAnswer:
    response_200 = MemorySearchAnswer.from_dict(body)

    return response_200
