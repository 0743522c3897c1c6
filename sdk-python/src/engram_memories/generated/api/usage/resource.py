# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.list_usage_group_by_item import ListUsageGroupByItem
from ...models.usage import Usage
from ...models.usage_group import UsageGroup
from ...models.usage_page import UsagePage
from ...types import UNSET, Unset
from . import list_usage as _list_usage


class UsageResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        from_: str | Unset = UNSET,
        to: str | Unset = UNSET,
        key_id: str | Unset = UNSET,
        group_by: Sequence[ListUsageGroupByItem] | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Usage | UsageGroup, UsagePage]:
        """List usage.

        Returns a page of usage, newest day first. A day without usage has no item. The counts are for
        monitoring, not for billing. They are kept in memory and stored within about a minute, or later while
        the database is down. They are lost if the process ends before, and may be stored twice if the database
        does not confirm a write. Usage is deleted with the organization. With a filter, a page may hold fewer
        items than `limit`, or none, without being the last: one request reads at most 50,000 items to find
        matching ones. Continue until `next_cursor` is null. With `group_by`, items are sums, sorted by day,
        key, operation, tool and user, over at most 20,000 keys and days. More fail with 400.

        Needs the scope `admin`.

        Args:
            from_: First day to return, in UTC.
            to: Last day to return, in UTC.
            key_id: Only usage of this key or member.
            group_by: Dimensions of the sums to return. Repeat the parameter for several. Default: the usage of
                each key on each day.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> UsagePage:
            return self._http.call(
                _list_usage.request(
                    from_=from_,
                    to=to,
                    key_id=key_id,
                    group_by=group_by,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)


class AsyncUsageResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        from_: str | Unset = UNSET,
        to: str | Unset = UNSET,
        key_id: str | Unset = UNSET,
        group_by: Sequence[ListUsageGroupByItem] | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Usage | UsageGroup, UsagePage]:
        """List usage.

        Returns a page of usage, newest day first. A day without usage has no item. The counts are for
        monitoring, not for billing. They are kept in memory and stored within about a minute, or later while
        the database is down. They are lost if the process ends before, and may be stored twice if the database
        does not confirm a write. Usage is deleted with the organization. With a filter, a page may hold fewer
        items than `limit`, or none, without being the last: one request reads at most 50,000 items to find
        matching ones. Continue until `next_cursor` is null. With `group_by`, items are sums, sorted by day,
        key, operation, tool and user, over at most 20,000 keys and days. More fail with 400.

        Needs the scope `admin`.

        Args:
            from_: First day to return, in UTC.
            to: Last day to return, in UTC.
            key_id: Only usage of this key or member.
            group_by: Dimensions of the sums to return. Repeat the parameter for several. Default: the usage of
                each key on each day.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> UsagePage:
            return await self._http.call(
                _list_usage.request(
                    from_=from_,
                    to=to,
                    key_id=key_id,
                    group_by=group_by,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)
