# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.organization import Organization


def request(
    organization_id: str,
) -> Request[Organization]:
    return Request(
        "GET",
        path_of(
            "/v1/organizations/{organization_id}",
            organization_id=organization_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Organization:
    response_200 = Organization.from_dict(body)

    return response_200
