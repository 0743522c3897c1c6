# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

OnSourceDeleted = Literal["delete", "flag", "keep"]


def check_on_source_deleted(value: str) -> OnSourceDeleted:
    return cast(OnSourceDeleted, value)
