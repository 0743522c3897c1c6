# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.list_organizations_order import ListOrganizationsOrder
from ...models.list_organizations_sort import ListOrganizationsSort
from ...models.organization_page import OrganizationPage
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    sort: ListOrganizationsSort | Unset = UNSET,
    order: ListOrganizationsOrder | Unset = UNSET,
) -> Request[OrganizationPage]:
    return Request(
        "GET",
        path_of(
            "/v1/organizations",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
            sort=sort,
            order=order,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> OrganizationPage:
    response_200 = OrganizationPage.from_dict(body)

    return response_200
