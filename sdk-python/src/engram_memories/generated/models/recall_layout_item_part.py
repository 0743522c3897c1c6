# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RecallLayoutItemPart = Literal["memories", "messages", "results", "summaries"]


def check_recall_layout_item_part(value: str) -> RecallLayoutItemPart:
    return cast(RecallLayoutItemPart, value)
