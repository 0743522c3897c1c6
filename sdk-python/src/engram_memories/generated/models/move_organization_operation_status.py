# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

MoveOrganizationOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_move_organization_operation_status(value: str) -> MoveOrganizationOperationStatus:
    return cast(MoveOrganizationOperationStatus, value)
