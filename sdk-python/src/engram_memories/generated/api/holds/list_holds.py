# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.hold_page import HoldPage
from ...models.list_holds_status import ListHoldsStatus
from ...types import UNSET, Unset


def request(
    *,
    status: ListHoldsStatus | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[HoldPage]:
    return Request(
        "GET",
        path_of(
            "/v1/holds",
        ),
        parse,
        query=query_of(
            status=status,
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> HoldPage:
    response_200 = HoldPage.from_dict(body)

    return response_200
