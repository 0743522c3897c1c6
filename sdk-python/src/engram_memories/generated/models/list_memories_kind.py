# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListMemoriesKind = Literal["note", "summary"]


def check_list_memories_kind(value: str) -> ListMemoriesKind:
    return cast(ListMemoriesKind, value)
