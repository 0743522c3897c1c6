# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.context_answer import ContextAnswer
from ...models.context_body_layout import ContextBodyLayout
from ...models.context_body_record_type_1 import ContextBodyRecordType1
from ...models.context_body_shares import ContextBodyShares
from ...models.context_body_visibility_item import ContextBodyVisibilityItem
from ...types import UNSET, Unset


def request(
    *,
    query: str | Unset = UNSET,
    conversation_id: str | Unset = UNSET,
    exclude_conversation: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    visibility: Sequence[ContextBodyVisibilityItem] | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    as_of: str | Unset = UNSET,
    record: bool | ContextBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
    max_tokens: int | Unset = UNSET,
    valid_at: str | Unset = UNSET,
    shares: ContextBodyShares | Mapping[str, Any] | Unset = UNSET,
    layout: ContextBodyLayout | Unset = UNSET,
    previous: str | None | Unset = UNSET,
    min_relevance: float | Unset = UNSET,
) -> Request[ContextAnswer]:
    return Request(
        "POST",
        path_of(
            "/v1/context",
        ),
        parse,
        content=body_of(
            query=query,
            conversation_id=conversation_id,
            exclude_conversation=exclude_conversation,
            user_id=user_id,
            visibility=visibility,
            agent_id=agent_id,
            metadata=metadata,
            as_of=as_of,
            record=record,
            max_tokens=max_tokens,
            valid_at=valid_at,
            shares=shares,
            layout=layout,
            previous=previous,
            min_relevance=min_relevance,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ContextAnswer:
    response_200 = ContextAnswer.from_dict(body)

    return response_200
