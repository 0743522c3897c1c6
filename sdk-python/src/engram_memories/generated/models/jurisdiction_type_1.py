# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

JurisdictionType1 = Literal["eu", "fedramp"]


def check_jurisdiction_type_1(value: str) -> JurisdictionType1:
    return cast(JurisdictionType1, value)
