# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SearchMemoriesBodyVisibilityItem = Literal["own", "shared"]


def check_search_memories_body_visibility_item(value: str) -> SearchMemoriesBodyVisibilityItem:
    return cast(SearchMemoriesBodyVisibilityItem, value)
