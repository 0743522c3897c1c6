# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListHoldsStatus = Literal["active", "lifted"]


def check_list_holds_status(value: str) -> ListHoldsStatus:
    return cast(ListHoldsStatus, value)
