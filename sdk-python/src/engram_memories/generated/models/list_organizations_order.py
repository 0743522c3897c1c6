# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListOrganizationsOrder = Literal["asc", "desc"]


def check_list_organizations_order(value: str) -> ListOrganizationsOrder:
    return cast(ListOrganizationsOrder, value)
