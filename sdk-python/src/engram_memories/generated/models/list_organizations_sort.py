# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListOrganizationsSort = Literal["created_at", "last_active_on", "message_count", "place", "size_bytes"]


def check_list_organizations_sort(value: str) -> ListOrganizationsSort:
    return cast(ListOrganizationsSort, value)
