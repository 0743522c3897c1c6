# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SearchMemoriesBodyMode = Literal["hybrid", "keyword", "semantic"]


def check_search_memories_body_mode(value: str) -> SearchMemoriesBodyMode:
    return cast(SearchMemoriesBodyMode, value)
