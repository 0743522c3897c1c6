# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.grant import Grant
from ...models.grant_page import GrantPage
from ...types import UNSET, Unset
from . import delete_grant as _delete_grant
from . import list_grants as _list_grants


class GrantsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Grant, GrantPage]:
        """List grants.

        Returns a page of the grants of the organization's keys and members, newest first: which clients, such
        as claude.ai or ChatGPT, people have connected by signing in, and where members are signed in to the
        console. Includes grants whose key is no longer active, until they expire. Never returns tokens.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> GrantPage:
            return self._http.call(
                _list_grants.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def delete(
        self,
        grant_id: str,
    ) -> Grant:
        """Delete a grant.

        Ends a grant, with all its tokens. Once this request returns, every request of the client fails with
        401. The key stays active. The client can ask a person again.

        Needs the scope `admin`.
        """
        return self._http.call(
            _delete_grant.request(
                grant_id=grant_id,
            )
        )


class AsyncGrantsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Grant, GrantPage]:
        """List grants.

        Returns a page of the grants of the organization's keys and members, newest first: which clients, such
        as claude.ai or ChatGPT, people have connected by signing in, and where members are signed in to the
        console. Includes grants whose key is no longer active, until they expire. Never returns tokens.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> GrantPage:
            return await self._http.call(
                _list_grants.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def delete(
        self,
        grant_id: str,
    ) -> Grant:
        """Delete a grant.

        Ends a grant, with all its tokens. Once this request returns, every request of the client fails with
        401. The key stays active. The client can ask a person again.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _delete_grant.request(
                grant_id=grant_id,
            )
        )
