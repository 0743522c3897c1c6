# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.hold import Hold


def request(
    hold_id: str,
) -> Request[Hold]:
    return Request(
        "POST",
        path_of(
            "/v1/holds/{hold_id}/lift",
            hold_id=hold_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Hold:
    response_200 = Hold.from_dict(body)

    return response_200
