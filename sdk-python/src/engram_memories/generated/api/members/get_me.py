# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.me import Me


def request() -> Request[Me]:
    return Request(
        "GET",
        path_of(
            "/v1/me",
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Me:
    response_200 = Me.from_dict(body)

    return response_200
