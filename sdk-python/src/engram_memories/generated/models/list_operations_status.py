# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListOperationsStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_list_operations_status(value: str) -> ListOperationsStatus:
    return cast(ListOperationsStatus, value)
