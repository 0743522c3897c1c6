# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.user_page import UserPage
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[UserPage]:
    return Request(
        "GET",
        path_of(
            "/v1/users",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> UserPage:
    response_200 = UserPage.from_dict(body)

    return response_200
