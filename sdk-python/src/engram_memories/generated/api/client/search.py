# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.message_role import MessageRole
from ...models.search_answer import SearchAnswer
from ...models.search_body_entities_item import SearchBodyEntitiesItem
from ...models.search_body_in_item import SearchBodyInItem
from ...models.search_body_mode import SearchBodyMode
from ...models.search_body_neighbors import SearchBodyNeighbors
from ...models.search_body_priors_item import SearchBodyPriorsItem
from ...models.search_body_record_type_1 import SearchBodyRecordType1
from ...models.search_body_visibility_item import SearchBodyVisibilityItem
from ...types import UNSET, Unset


def request(
    *,
    query: str,
    exclude: Sequence[str] | Unset = UNSET,
    mode: SearchBodyMode | Unset = UNSET,
    limit: int | Unset = UNSET,
    in_: Sequence[SearchBodyInItem] | Unset = UNSET,
    conversation_id: str | Unset = UNSET,
    exclude_conversation: str | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    visibility: Sequence[SearchBodyVisibilityItem] | Unset = UNSET,
    tags_any: Sequence[str] | Unset = UNSET,
    tags_all: Sequence[str] | Unset = UNSET,
    roles: Sequence[MessageRole] | Unset = UNSET,
    names: Sequence[str] | Unset = UNSET,
    entities: Sequence[SearchBodyEntitiesItem | Mapping[str, Any]] | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    created_after: str | Unset = UNSET,
    created_before: str | Unset = UNSET,
    as_of: str | Unset = UNSET,
    neighbors: SearchBodyNeighbors | Mapping[str, Any] | Unset = UNSET,
    priors: Sequence[SearchBodyPriorsItem] | Unset = UNSET,
    valid_at: str | Unset = UNSET,
    explain: bool | Unset = UNSET,
    rerank: bool | Unset = UNSET,
    min_relevance: float | Unset = UNSET,
    keep_best: int | Unset = UNSET,
    record: bool | SearchBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
    max_tokens: int | Unset = UNSET,
) -> Request[SearchAnswer]:
    return Request(
        "POST",
        path_of(
            "/v1/search",
        ),
        parse,
        content=body_of(
            query=query,
            exclude=exclude,
            mode=mode,
            limit=limit,
            in_=in_,
            conversation_id=conversation_id,
            exclude_conversation=exclude_conversation,
            agent_id=agent_id,
            user_id=user_id,
            visibility=visibility,
            tags_any=tags_any,
            tags_all=tags_all,
            roles=roles,
            names=names,
            entities=entities,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
            as_of=as_of,
            neighbors=neighbors,
            priors=priors,
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


def parse(status: int, body: Any) -> SearchAnswer:
    response_200 = SearchAnswer.from_dict(body)

    return response_200
