# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RecallLineLayoutItemPart = Literal["memories", "messages", "results", "summaries"]


def check_recall_line_layout_item_part(value: str) -> RecallLineLayoutItemPart:
    return cast(RecallLineLayoutItemPart, value)
