# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListEntitiesSort = Literal["mentions", "value"]


def check_list_entities_sort(value: str) -> ListEntitiesSort:
    return cast(ListEntitiesSort, value)
