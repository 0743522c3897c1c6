# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RecalledItemType = Literal["memory", "message"]


def check_recalled_item_type(value: str) -> RecalledItemType:
    return cast(RecalledItemType, value)
