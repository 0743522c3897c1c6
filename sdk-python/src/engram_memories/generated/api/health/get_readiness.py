# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.readiness import Readiness


def request() -> Request[Readiness]:
    return Request(
        "GET",
        path_of(
            "/ready",
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Readiness:
    response_200 = Readiness.from_dict(body)

    return response_200
