# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SearchMemoriesBodyKind = Literal["note", "summary"]


def check_search_memories_body_kind(value: str) -> SearchMemoriesBodyKind:
    return cast(SearchMemoriesBodyKind, value)
