# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.audit_event_page import AuditEventPage
from ...models.list_audit_events_action import ListAuditEventsAction
from ...models.list_audit_events_order import ListAuditEventsOrder
from ...types import UNSET, Unset


def request(
    *,
    action: ListAuditEventsAction | Unset = UNSET,
    request_id: str | Unset = UNSET,
    order: ListAuditEventsOrder | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[AuditEventPage]:
    return Request(
        "GET",
        path_of(
            "/v1/audit-events",
        ),
        parse,
        query=query_of(
            action=action,
            request_id=request_id,
            order=order,
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> AuditEventPage:
    response_200 = AuditEventPage.from_dict(body)

    return response_200
