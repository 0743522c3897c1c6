# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.health import Health


def request() -> Request[Health]:
    return Request(
        "GET",
        path_of(
            "/health",
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Health:
    response_200 = Health.from_dict(body)

    return response_200
