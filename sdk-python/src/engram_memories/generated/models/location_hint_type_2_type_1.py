# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

LocationHintType2Type1 = Literal["afr", "apac", "eeur", "enam", "me", "oc", "sam", "weur", "wnam"]


def check_location_hint_type_2_type_1(value: str) -> LocationHintType2Type1:
    return cast(LocationHintType2Type1, value)
