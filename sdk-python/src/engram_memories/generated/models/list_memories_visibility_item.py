# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListMemoriesVisibilityItem = Literal["own", "shared"]


def check_list_memories_visibility_item(value: str) -> ListMemoriesVisibilityItem:
    return cast(ListMemoriesVisibilityItem, value)
