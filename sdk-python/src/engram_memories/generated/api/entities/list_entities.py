# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.entity_page import EntityPage
from ...models.list_entities_kind import ListEntitiesKind
from ...models.list_entities_sort import ListEntitiesSort
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    sort: ListEntitiesSort | Unset = UNSET,
    kind: ListEntitiesKind | Unset = UNSET,
    prefix: str | Unset = UNSET,
    conversation_id: str | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> Request[EntityPage]:
    return Request(
        "GET",
        path_of(
            "/v1/entities",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
            sort=sort,
            kind=kind,
            prefix=prefix,
            conversation_id=conversation_id,
            agent_id=agent_id,
            user_id=user_id,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> EntityPage:
    response_200 = EntityPage.from_dict(body)

    return response_200
