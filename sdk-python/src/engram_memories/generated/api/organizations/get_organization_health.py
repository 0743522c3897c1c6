# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.organization_health import OrganizationHealth


def request(
    organization_id: str,
) -> Request[OrganizationHealth]:
    return Request(
        "GET",
        path_of(
            "/v1/organizations/{organization_id}/health",
            organization_id=organization_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> OrganizationHealth:
    response_200 = OrganizationHealth.from_dict(body)

    return response_200
