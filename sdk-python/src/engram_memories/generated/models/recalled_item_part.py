# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RecalledItemPart = Literal["memories", "messages", "results", "summaries"]


def check_recalled_item_part(value: str) -> RecalledItemPart:
    return cast(RecalledItemPart, value)
