# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.grant import Grant


def request(
    grant_id: str,
) -> Request[Grant]:
    return Request(
        "DELETE",
        path_of(
            "/v1/grants/{grant_id}",
            grant_id=grant_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Grant:
    response_200 = Grant.from_dict(body)

    return response_200
