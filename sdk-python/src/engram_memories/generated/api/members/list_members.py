# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.member_page import MemberPage
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[MemberPage]:
    return Request(
        "GET",
        path_of(
            "/v1/members",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MemberPage:
    response_200 = MemberPage.from_dict(body)

    return response_200
