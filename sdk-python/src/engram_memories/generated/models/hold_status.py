# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

HoldStatus = Literal["active", "lifted"]


def check_hold_status(value: str) -> HoldStatus:
    return cast(HoldStatus, value)
