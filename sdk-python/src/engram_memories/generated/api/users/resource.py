# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.delete_user_operation import DeleteUserOperation
from ...models.user import User
from ...models.user_page import UserPage
from ...types import UNSET, Unset
from . import delete_user as _delete_user
from . import get_user as _get_user
from . import list_users as _list_users


class UsersResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[User, UserPage]:
        """List users.

        Returns a page of the users of the organization's conversations and memories, ordered by id. A key that
        is bound to an agent or a user cannot list users.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> UserPage:
            return self._http.call(
                _list_users.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def get(
        self,
        user_id: str,
    ) -> User:
        """Get a user.

        Returns what is stored of a user. A user without conversations and memories has none to count: there is
        no 404 for it. A key that is bound to an agent or a user cannot get users.

        Needs the scope `read`.
        """
        return self._http.call(
            _get_user.request(
                user_id=user_id,
            )
        )

    def delete(
        self,
        user_id: str,
    ) -> DeleteUserOperation:
        """Delete the data of a user.

        Deletes all conversations with a user, and all memories, receipts of recall and evaluations of the user.
        A key that is bound to an agent deletes only those of its agent. The first 1,000 conversations and 1,000
        memories are deleted before the request returns; the others follow in the background. The deletion
        holds: it leaves a tombstone, and from then on nothing is stored for the user, nor any of the deleted
        items for another. Captures, new conversations and forks fail with 409 `forgotten`, and imports and bulk
        captures skip them. To let the user come back, delete the tombstone, which allows all of it again. The
        tombstone of a key that is bound to an agent refuses the user only for the agent. Keys that are bound to
        the user stay valid: revoke them first. A deleted item is excluded from every response. Rows, keyword
        index entries and vectors are removed for good afterwards, and the operation reports when. If there is
        nothing to delete, the operation says so. The operation and its audit event keep the id of the user.

        Needs the scope `delete`.
        """
        return self._http.call(
            _delete_user.request(
                user_id=user_id,
            )
        )


class AsyncUsersResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[User, UserPage]:
        """List users.

        Returns a page of the users of the organization's conversations and memories, ordered by id. A key that
        is bound to an agent or a user cannot list users.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> UserPage:
            return await self._http.call(
                _list_users.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def get(
        self,
        user_id: str,
    ) -> User:
        """Get a user.

        Returns what is stored of a user. A user without conversations and memories has none to count: there is
        no 404 for it. A key that is bound to an agent or a user cannot get users.

        Needs the scope `read`.
        """
        return await self._http.call(
            _get_user.request(
                user_id=user_id,
            )
        )

    async def delete(
        self,
        user_id: str,
    ) -> DeleteUserOperation:
        """Delete the data of a user.

        Deletes all conversations with a user, and all memories, receipts of recall and evaluations of the user.
        A key that is bound to an agent deletes only those of its agent. The first 1,000 conversations and 1,000
        memories are deleted before the request returns; the others follow in the background. The deletion
        holds: it leaves a tombstone, and from then on nothing is stored for the user, nor any of the deleted
        items for another. Captures, new conversations and forks fail with 409 `forgotten`, and imports and bulk
        captures skip them. To let the user come back, delete the tombstone, which allows all of it again. The
        tombstone of a key that is bound to an agent refuses the user only for the agent. Keys that are bound to
        the user stay valid: revoke them first. A deleted item is excluded from every response. Rows, keyword
        index entries and vectors are removed for good afterwards, and the operation reports when. If there is
        nothing to delete, the operation says so. The operation and its audit event keep the id of the user.

        Needs the scope `delete`.
        """
        return await self._http.call(
            _delete_user.request(
                user_id=user_id,
            )
        )
