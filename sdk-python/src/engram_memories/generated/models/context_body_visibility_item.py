# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ContextBodyVisibilityItem = Literal["own", "shared"]


def check_context_body_visibility_item(value: str) -> ContextBodyVisibilityItem:
    return cast(ContextBodyVisibilityItem, value)
