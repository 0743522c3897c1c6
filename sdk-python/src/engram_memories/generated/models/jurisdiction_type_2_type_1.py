# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

JurisdictionType2Type1 = Literal["eu", "fedramp"]


def check_jurisdiction_type_2_type_1(value: str) -> JurisdictionType2Type1:
    return cast(JurisdictionType2Type1, value)
