# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SearchBodyVisibilityItem = Literal["own", "shared"]


def check_search_body_visibility_item(value: str) -> SearchBodyVisibilityItem:
    return cast(SearchBodyVisibilityItem, value)
