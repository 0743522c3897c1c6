# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, json_of, path_of, query_of
from ...models.conversation_page import ConversationPage
from ...models.list_conversations_order import ListConversationsOrder
from ...models.list_conversations_sort import ListConversationsSort
from ...models.list_conversations_visibility_item import ListConversationsVisibilityItem
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    include_total: bool | Unset = UNSET,
    include_last_message: bool | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    visibility: Sequence[ListConversationsVisibilityItem] | Unset = UNSET,
    external_id: str | Unset = UNSET,
    message_id: str | Unset = UNSET,
    exact_owner: bool | Unset = UNSET,
    tags_any: Sequence[str] | Unset = UNSET,
    tags_all: Sequence[str] | Unset = UNSET,
    created_after: str | Unset = UNSET,
    created_before: str | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    sort: ListConversationsSort | Unset = UNSET,
    order: ListConversationsOrder | Unset = UNSET,
    as_of: str | Unset = UNSET,
) -> Request[ConversationPage]:
    return Request(
        "GET",
        path_of(
            "/v1/conversations",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
            include_total=include_total,
            include_last_message=include_last_message,
            agent_id=agent_id,
            user_id=user_id,
            visibility=visibility,
            external_id=external_id,
            message_id=message_id,
            exact_owner=exact_owner,
            tags_any=tags_any,
            tags_all=tags_all,
            created_after=created_after,
            created_before=created_before,
            metadata=json_of(metadata),
            sort=sort,
            order=order,
            as_of=as_of,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ConversationPage:
    response_200 = ConversationPage.from_dict(body)

    return response_200
