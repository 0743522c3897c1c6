# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListMemoriesSort = Literal["created_at", "updated_at"]


def check_list_memories_sort(value: str) -> ListMemoriesSort:
    return cast(ListMemoriesSort, value)
