# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListMemoriesOrder = Literal["asc", "desc"]


def check_list_memories_order(value: str) -> ListMemoriesOrder:
    return cast(ListMemoriesOrder, value)
