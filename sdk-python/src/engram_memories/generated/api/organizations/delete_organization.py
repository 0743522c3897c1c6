# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.delete_organization_operation import DeleteOrganizationOperation
from ...types import UNSET, Unset


def request(
    organization_id: str,
    *,
    force: bool | Unset = UNSET,
) -> Request[DeleteOrganizationOperation]:
    return Request(
        "DELETE",
        path_of(
            "/v1/organizations/{organization_id}",
            organization_id=organization_id,
        ),
        parse,
        query=query_of(
            force=force,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> DeleteOrganizationOperation:
    response_202 = DeleteOrganizationOperation.from_dict(body)

    return response_202
