# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.tombstone import Tombstone
from ...models.tombstone_page import TombstonePage
from ...types import UNSET, Unset
from . import delete_tombstone as _delete_tombstone
from . import list_tombstones as _list_tombstones


class TombstonesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Tombstone, TombstonePage]:
        """List tombstones.

        Returns a page of tombstones, newest first. A deletion with `forget`, and each deletion of a user,
        leaves one. While it exists, nothing that was deleted is stored again: captures, appends and forks of it
        fail with 409 `forgotten`, and imports and bulk captures skip it.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> TombstonePage:
            return self._http.call(
                _list_tombstones.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def delete(
        self,
        tombstone_id: str,
    ) -> Tombstone:
        """Delete a tombstone.

        Allows again, from the next request on, all that the deletion refused: the user, and every item that the
        deletion deleted. It restores nothing: what was deleted stays deleted until it is captured or imported
        again. Steps of the deletion that have not begun still delete, but refuse nothing any more. Hashes are
        removed in the background. An item that another tombstone covers stays refused.

        Needs the scope `admin`.
        """
        return self._http.call(
            _delete_tombstone.request(
                tombstone_id=tombstone_id,
            )
        )


class AsyncTombstonesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Tombstone, TombstonePage]:
        """List tombstones.

        Returns a page of tombstones, newest first. A deletion with `forget`, and each deletion of a user,
        leaves one. While it exists, nothing that was deleted is stored again: captures, appends and forks of it
        fail with 409 `forgotten`, and imports and bulk captures skip it.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> TombstonePage:
            return await self._http.call(
                _list_tombstones.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def delete(
        self,
        tombstone_id: str,
    ) -> Tombstone:
        """Delete a tombstone.

        Allows again, from the next request on, all that the deletion refused: the user, and every item that the
        deletion deleted. It restores nothing: what was deleted stays deleted until it is captured or imported
        again. Steps of the deletion that have not begun still delete, but refuse nothing any more. Hashes are
        removed in the background. An item that another tombstone covers stays refused.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _delete_tombstone.request(
                tombstone_id=tombstone_id,
            )
        )
