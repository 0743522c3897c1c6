# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.audit_event import AuditEvent
from ...models.audit_event_page import AuditEventPage
from ...models.list_audit_events_action import ListAuditEventsAction
from ...models.list_audit_events_order import ListAuditEventsOrder
from ...types import UNSET, Unset
from . import list_audit_events as _list_audit_events


class AuditEventsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        action: ListAuditEventsAction | Unset = UNSET,
        request_id: str | Unset = UNSET,
        order: ListAuditEventsOrder | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[AuditEvent, AuditEventPage]:
        """List audit events.

        Returns a page of audit events, newest first unless `order` says otherwise: who created, revoked or
        rotated keys, who managed members, which clients got a grant, who changed webhooks or settings, who
        deleted, exported or archived data, who set and lifted legal holds, who canceled the deletion of the
        organization, and when it was moved. An event is written in the same transaction as its action. A
        request that is repeated with the same idempotency key adds no second event. Events are deleted with the
        organization, except `organization.deleted`, `organization.restored` and a `hold.lifted` of the deletion
        itself, which stay in the database, and by rules of retention. Within some minutes, an event becomes
        part of a chain of hashes, so that a change to an earlier event or a missing one shows: `engram audit
        verify` checks it. With a filter, a page may hold fewer items than `limit`, or none, without being the
        last: one request reads at most 50,000 items to find matching ones. Continue until `next_cursor` is
        null.

        Needs the scope `admin`.

        Args:
            action: Only events of this action.
            request_id: Only events of this request.
            order: Sort order, by time.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> AuditEventPage:
            return self._http.call(
                _list_audit_events.request(
                    action=action,
                    request_id=request_id,
                    order=order,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)


class AsyncAuditEventsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        action: ListAuditEventsAction | Unset = UNSET,
        request_id: str | Unset = UNSET,
        order: ListAuditEventsOrder | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[AuditEvent, AuditEventPage]:
        """List audit events.

        Returns a page of audit events, newest first unless `order` says otherwise: who created, revoked or
        rotated keys, who managed members, which clients got a grant, who changed webhooks or settings, who
        deleted, exported or archived data, who set and lifted legal holds, who canceled the deletion of the
        organization, and when it was moved. An event is written in the same transaction as its action. A
        request that is repeated with the same idempotency key adds no second event. Events are deleted with the
        organization, except `organization.deleted`, `organization.restored` and a `hold.lifted` of the deletion
        itself, which stay in the database, and by rules of retention. Within some minutes, an event becomes
        part of a chain of hashes, so that a change to an earlier event or a missing one shows: `engram audit
        verify` checks it. With a filter, a page may hold fewer items than `limit`, or none, without being the
        last: one request reads at most 50,000 items to find matching ones. Continue until `next_cursor` is
        null.

        Needs the scope `admin`.

        Args:
            action: Only events of this action.
            request_id: Only events of this request.
            order: Sort order, by time.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> AuditEventPage:
            return await self._http.call(
                _list_audit_events.request(
                    action=action,
                    request_id=request_id,
                    order=order,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)
