# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.hold_details import HoldDetails


def request(
    hold_id: str,
) -> Request[HoldDetails]:
    return Request(
        "GET",
        path_of(
            "/v1/holds/{hold_id}",
            hold_id=hold_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> HoldDetails:
    response_200 = HoldDetails.from_dict(body)

    return response_200
