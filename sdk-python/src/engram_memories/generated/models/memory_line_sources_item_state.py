# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

MemoryLineSourcesItemState = Literal["deleted", "edited", "intact"]


def check_memory_line_sources_item_state(value: str) -> MemoryLineSourcesItemState:
    return cast(MemoryLineSourcesItemState, value)
