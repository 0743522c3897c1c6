# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SearchBodyMode = Literal["hybrid", "keyword", "semantic"]


def check_search_body_mode(value: str) -> SearchBodyMode:
    return cast(SearchBodyMode, value)
