# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

OrganizationHealthFailureType2Type1 = Literal["other", "overloaded", "reset", "timeout"]


def check_organization_health_failure_type_2_type_1(value: str) -> OrganizationHealthFailureType2Type1:
    return cast(OrganizationHealthFailureType2Type1, value)
