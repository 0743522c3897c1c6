# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.move_organization_operation import MoveOrganizationOperation
from ...models.place import Place


def request(
    organization_id: str,
    *,
    place: Place,
) -> Request[MoveOrganizationOperation]:
    return Request(
        "POST",
        path_of(
            "/v1/organizations/{organization_id}/move",
            organization_id=organization_id,
        ),
        parse,
        content=body_of(
            place=place,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MoveOrganizationOperation:
    response_202 = MoveOrganizationOperation.from_dict(body)

    return response_202
