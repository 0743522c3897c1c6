# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.member import Member


def request(
    member_id: str,
) -> Request[Member]:
    return Request(
        "GET",
        path_of(
            "/v1/members/{member_id}",
            member_id=member_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Member:
    response_200 = Member.from_dict(body)

    return response_200
