# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.mention_page import MentionPage
from ...types import UNSET, Unset


def request(
    entity_id: str,
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    conversation_id: str | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> Request[MentionPage]:
    return Request(
        "GET",
        path_of(
            "/v1/entities/{entity_id}/mentions",
            entity_id=entity_id,
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
            conversation_id=conversation_id,
            agent_id=agent_id,
            user_id=user_id,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MentionPage:
    response_200 = MentionPage.from_dict(body)

    return response_200
