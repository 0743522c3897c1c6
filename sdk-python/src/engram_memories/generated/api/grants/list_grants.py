# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.grant_page import GrantPage
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[GrantPage]:
    return Request(
        "GET",
        path_of(
            "/v1/grants",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> GrantPage:
    response_200 = GrantPage.from_dict(body)

    return response_200
