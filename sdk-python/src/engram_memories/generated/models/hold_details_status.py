# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

HoldDetailsStatus = Literal["active", "lifted"]


def check_hold_details_status(value: str) -> HoldDetailsStatus:
    return cast(HoldDetailsStatus, value)
