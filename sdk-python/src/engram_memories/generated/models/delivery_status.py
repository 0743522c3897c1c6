# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeliveryStatus = Literal["delivered", "pending", "skipped"]


def check_delivery_status(value: str) -> DeliveryStatus:
    return cast(DeliveryStatus, value)
