# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteOrganizationOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_delete_organization_operation_status(value: str) -> DeleteOrganizationOperationStatus:
    return cast(DeleteOrganizationOperationStatus, value)
