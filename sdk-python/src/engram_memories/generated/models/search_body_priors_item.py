# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SearchBodyPriorsItem = Literal["answer", "date", "hidden", "number", "question", "speaker", "time"]


def check_search_body_priors_item(value: str) -> SearchBodyPriorsItem:
    return cast(SearchBodyPriorsItem, value)
