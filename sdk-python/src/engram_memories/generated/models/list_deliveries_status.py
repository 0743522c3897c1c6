# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListDeliveriesStatus = Literal["delivered", "pending", "skipped"]


def check_list_deliveries_status(value: str) -> ListDeliveriesStatus:
    return cast(ListDeliveriesStatus, value)
