# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SearchBodyInItem = Literal["conversations", "memories", "summaries"]


def check_search_body_in_item(value: str) -> SearchBodyInItem:
    return cast(SearchBodyInItem, value)
