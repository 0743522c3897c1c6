# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.on_source_deleted import OnSourceDeleted
from ...models.organization import Organization


def request(
    organization_id: str,
    *,
    on_source_deleted: OnSourceDeleted,
) -> Request[Organization]:
    return Request(
        "PATCH",
        path_of(
            "/v1/organizations/{organization_id}",
            organization_id=organization_id,
        ),
        parse,
        content=body_of(
            on_source_deleted=on_source_deleted,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Organization:
    response_200 = Organization.from_dict(body)

    return response_200
