# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

JurisdictionType3Type1 = Literal["eu", "fedramp"]


def check_jurisdiction_type_3_type_1(value: str) -> JurisdictionType3Type1:
    return cast(JurisdictionType3Type1, value)
