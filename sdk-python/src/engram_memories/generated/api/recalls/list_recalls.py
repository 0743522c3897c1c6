# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.recall_page import RecallPage
from ...types import UNSET, Unset


def request(
    *,
    user_id: str | Unset = UNSET,
    run_id: str | Unset = UNSET,
    item_id: str | Unset = UNSET,
    conversation_id: str | Unset = UNSET,
    created_after: str | Unset = UNSET,
    created_before: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[RecallPage]:
    return Request(
        "GET",
        path_of(
            "/v1/recalls",
        ),
        parse,
        query=query_of(
            user_id=user_id,
            run_id=run_id,
            item_id=item_id,
            conversation_id=conversation_id,
            created_after=created_after,
            created_before=created_before,
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> RecallPage:
    response_200 = RecallPage.from_dict(body)

    return response_200
