# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.hold import Hold
from ...models.hold_details import HoldDetails
from ...models.hold_filter import HoldFilter
from ...models.hold_page import HoldPage
from ...models.list_holds_status import ListHoldsStatus
from ...types import UNSET, Unset
from . import create_hold as _create_hold
from . import get_hold as _get_hold
from . import lift_hold as _lift_hold
from . import list_holds as _list_holds


class HoldsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        status: ListHoldsStatus | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Hold, HoldPage]:
        """List legal holds.

        Returns a page of legal holds, newest first. Holds are never deleted, only lifted: they are deleted with
        the organization.

        Needs the scope `admin`.

        Args:
            status: Only active holds, or only lifted ones. Default: both.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> HoldPage:
            return self._http.call(
                _list_holds.request(
                    status=status,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        *,
        reason: str,
        ids: Sequence[str] | Unset = UNSET,
        filter: HoldFilter | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Hold:
        """Create a legal hold.

        Holds conversations and memories: from now on, nothing deletes or edits them, and nothing that was
        deleted shortly before is removed for good. Such requests fail with 409 `held`. Deletions by a filter
        skip what is held and say how many items that were; the deletion of a user waits for the holds. Messages
        can still be added to a held conversation, and everything can be read, searched and exported. An item
        can be under several holds. An organization has at most 100 active holds. The hold is recorded as an
        audit event.

        Needs the scope `admin`.

        Args:
            reason: Why the hold exists, such as the number of a case. At most 256 characters.
            ids: Ids of the conversations and memories to hold, at most 1,000.
            filter: Conversations and memories that are held, also those that are stored later. All conditions
                must match. An empty filter holds everything.
        """
        return self._http.call(
            _create_hold.request(
                reason=reason,
                ids=ids,
                filter=filter,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        hold_id: str,
    ) -> HoldDetails:
        """Get a legal hold.

        Returns a legal hold with the ids that it names, and how many conversations and memories it holds now.

        Needs the scope `admin`.
        """
        return self._http.call(
            _get_hold.request(
                hold_id=hold_id,
            )
        )

    def lift(
        self,
        hold_id: str,
    ) -> Hold:
        """Lift a legal hold.

        Ends a legal hold. What no other hold holds can be edited and deleted again, and deletions of users that
        waited for it continue in the background. The lift is recorded as an audit event. Lifting a hold again
        returns it unchanged.

        Needs the scope `admin`.
        """
        return self._http.call(
            _lift_hold.request(
                hold_id=hold_id,
            )
        )


class AsyncHoldsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        status: ListHoldsStatus | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Hold, HoldPage]:
        """List legal holds.

        Returns a page of legal holds, newest first. Holds are never deleted, only lifted: they are deleted with
        the organization.

        Needs the scope `admin`.

        Args:
            status: Only active holds, or only lifted ones. Default: both.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> HoldPage:
            return await self._http.call(
                _list_holds.request(
                    status=status,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        *,
        reason: str,
        ids: Sequence[str] | Unset = UNSET,
        filter: HoldFilter | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Hold:
        """Create a legal hold.

        Holds conversations and memories: from now on, nothing deletes or edits them, and nothing that was
        deleted shortly before is removed for good. Such requests fail with 409 `held`. Deletions by a filter
        skip what is held and say how many items that were; the deletion of a user waits for the holds. Messages
        can still be added to a held conversation, and everything can be read, searched and exported. An item
        can be under several holds. An organization has at most 100 active holds. The hold is recorded as an
        audit event.

        Needs the scope `admin`.

        Args:
            reason: Why the hold exists, such as the number of a case. At most 256 characters.
            ids: Ids of the conversations and memories to hold, at most 1,000.
            filter: Conversations and memories that are held, also those that are stored later. All conditions
                must match. An empty filter holds everything.
        """
        return await self._http.call(
            _create_hold.request(
                reason=reason,
                ids=ids,
                filter=filter,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        hold_id: str,
    ) -> HoldDetails:
        """Get a legal hold.

        Returns a legal hold with the ids that it names, and how many conversations and memories it holds now.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _get_hold.request(
                hold_id=hold_id,
            )
        )

    async def lift(
        self,
        hold_id: str,
    ) -> Hold:
        """Lift a legal hold.

        Ends a legal hold. What no other hold holds can be edited and deleted again, and deletions of users that
        waited for it continue in the background. The lift is recorded as an audit event. Lifting a hold again
        returns it unchanged.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _lift_hold.request(
                hold_id=hold_id,
            )
        )
