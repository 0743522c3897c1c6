# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListAuditEventsOrder = Literal["asc", "desc"]


def check_list_audit_events_order(value: str) -> ListAuditEventsOrder:
    return cast(ListAuditEventsOrder, value)
