# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListUsageGroupByItem = Literal["day", "key", "operation", "tool", "user"]


def check_list_usage_group_by_item(value: str) -> ListUsageGroupByItem:
    return cast(ListUsageGroupByItem, value)
