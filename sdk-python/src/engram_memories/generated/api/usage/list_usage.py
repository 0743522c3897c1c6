# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.list_usage_group_by_item import ListUsageGroupByItem
from ...models.usage_page import UsagePage
from ...types import UNSET, Unset


def request(
    *,
    from_: str | Unset = UNSET,
    to: str | Unset = UNSET,
    key_id: str | Unset = UNSET,
    group_by: Sequence[ListUsageGroupByItem] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[UsagePage]:
    return Request(
        "GET",
        path_of(
            "/v1/usage",
        ),
        parse,
        query=query_of(
            from_=from_,
            to=to,
            key_id=key_id,
            group_by=group_by,
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> UsagePage:
    response_200 = UsagePage.from_dict(body)

    return response_200
