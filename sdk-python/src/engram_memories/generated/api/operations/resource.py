# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.create_archive_operation import CreateArchiveOperation
from ...models.delete_conversation_operation import DeleteConversationOperation
from ...models.delete_conversations_operation import DeleteConversationsOperation
from ...models.delete_memories_operation import DeleteMemoriesOperation
from ...models.delete_memory_operation import DeleteMemoryOperation
from ...models.delete_message_operation import DeleteMessageOperation
from ...models.delete_organization_operation import DeleteOrganizationOperation
from ...models.delete_user_operation import DeleteUserOperation
from ...models.enrich_memories_operation import EnrichMemoriesOperation
from ...models.import_operation import ImportOperation
from ...models.list_operations_status import ListOperationsStatus
from ...models.list_operations_type import ListOperationsType
from ...models.move_organization_operation import MoveOrganizationOperation
from ...models.operation_page import OperationPage
from ...models.repair_index_operation import RepairIndexOperation
from ...types import UNSET, Unset
from . import cancel_operation as _cancel_operation
from . import get_operation as _get_operation
from . import list_operations as _list_operations


class OperationsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        type: ListOperationsType | Unset = UNSET,
        status: ListOperationsStatus | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[
        CreateArchiveOperation
        | DeleteConversationOperation
        | DeleteConversationsOperation
        | DeleteMemoriesOperation
        | DeleteMemoryOperation
        | DeleteMessageOperation
        | DeleteOrganizationOperation
        | DeleteUserOperation
        | EnrichMemoriesOperation
        | ImportOperation
        | MoveOrganizationOperation
        | RepairIndexOperation,
        OperationPage,
    ]:
        """List operations.

        Returns a page of operations, newest first. Operations are deletions, imports, archives, index repairs
        and enrichments. Moves of organizations are not listed: only the operator can get them. A key that is
        bound to an agent gets only operations on data of that agent. With a filter, a page may hold fewer items
        than `limit`, or none, without being the last: one request reads at most 50,000 items to find matching
        ones. Continue until `next_cursor` is null.

        Needs the scope `read`.

        Args:
            type: Only operations of this type.
            status: Only operations of this status.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> OperationPage:
            return self._http.call(
                _list_operations.request(
                    type=type,
                    status=status,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def get(
        self,
        operation_id: str,
    ) -> (
        CreateArchiveOperation
        | DeleteConversationOperation
        | DeleteConversationsOperation
        | DeleteMemoriesOperation
        | DeleteMemoryOperation
        | DeleteMessageOperation
        | DeleteOrganizationOperation
        | DeleteUserOperation
        | EnrichMemoriesOperation
        | ImportOperation
        | MoveOrganizationOperation
        | RepairIndexOperation
    ):
        """Get an operation.

        Returns an operation: its status, how much of the work is done, and why it failed if it did. For a
        deletion, it reports when rows and vectors were removed for good. With the admin token of the service,
        returns an operation of any organization in the shared database, and of the others their deletions and
        moves.

        Needs the scope `read`, or the admin token as `api_key`.
        """
        return self._http.call(
            _get_operation.request(
                operation_id=operation_id,
            )
        )

    def cancel(
        self,
        operation_id: str,
    ) -> (
        CreateArchiveOperation
        | DeleteConversationOperation
        | DeleteConversationsOperation
        | DeleteMemoriesOperation
        | DeleteMemoryOperation
        | DeleteMessageOperation
        | DeleteOrganizationOperation
        | DeleteUserOperation
        | EnrichMemoriesOperation
        | ImportOperation
        | MoveOrganizationOperation
        | RepairIndexOperation
    ):
        """Cancel an operation.

        Cancels the work that is left of an operation of the type `delete_conversations`, `delete_memories`,
        `delete_user`, `repair_index`, `enrich_memories`, `create_archive` or `import`: no further step begins.
        Deleted items stay deleted and are still removed for good; imported items stay; the archive is deleted.
        The admin token of the service can cancel operations of any organization in the shared database. It can
        also cancel a `move_organization` until the organization has moved, and a `delete_organization` until
        the last row of the organization is removed. All data whose removal has not begun is then restored at
        once, with the keys that the deletion revoked. Canceling an operation again returns it unchanged.

        Needs the scope `write`, or the admin token as `api_key`.
        """
        return self._http.call(
            _cancel_operation.request(
                operation_id=operation_id,
            )
        )


class AsyncOperationsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        type: ListOperationsType | Unset = UNSET,
        status: ListOperationsStatus | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[
        CreateArchiveOperation
        | DeleteConversationOperation
        | DeleteConversationsOperation
        | DeleteMemoriesOperation
        | DeleteMemoryOperation
        | DeleteMessageOperation
        | DeleteOrganizationOperation
        | DeleteUserOperation
        | EnrichMemoriesOperation
        | ImportOperation
        | MoveOrganizationOperation
        | RepairIndexOperation,
        OperationPage,
    ]:
        """List operations.

        Returns a page of operations, newest first. Operations are deletions, imports, archives, index repairs
        and enrichments. Moves of organizations are not listed: only the operator can get them. A key that is
        bound to an agent gets only operations on data of that agent. With a filter, a page may hold fewer items
        than `limit`, or none, without being the last: one request reads at most 50,000 items to find matching
        ones. Continue until `next_cursor` is null.

        Needs the scope `read`.

        Args:
            type: Only operations of this type.
            status: Only operations of this status.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> OperationPage:
            return await self._http.call(
                _list_operations.request(
                    type=type,
                    status=status,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def get(
        self,
        operation_id: str,
    ) -> (
        CreateArchiveOperation
        | DeleteConversationOperation
        | DeleteConversationsOperation
        | DeleteMemoriesOperation
        | DeleteMemoryOperation
        | DeleteMessageOperation
        | DeleteOrganizationOperation
        | DeleteUserOperation
        | EnrichMemoriesOperation
        | ImportOperation
        | MoveOrganizationOperation
        | RepairIndexOperation
    ):
        """Get an operation.

        Returns an operation: its status, how much of the work is done, and why it failed if it did. For a
        deletion, it reports when rows and vectors were removed for good. With the admin token of the service,
        returns an operation of any organization in the shared database, and of the others their deletions and
        moves.

        Needs the scope `read`, or the admin token as `api_key`.
        """
        return await self._http.call(
            _get_operation.request(
                operation_id=operation_id,
            )
        )

    async def cancel(
        self,
        operation_id: str,
    ) -> (
        CreateArchiveOperation
        | DeleteConversationOperation
        | DeleteConversationsOperation
        | DeleteMemoriesOperation
        | DeleteMemoryOperation
        | DeleteMessageOperation
        | DeleteOrganizationOperation
        | DeleteUserOperation
        | EnrichMemoriesOperation
        | ImportOperation
        | MoveOrganizationOperation
        | RepairIndexOperation
    ):
        """Cancel an operation.

        Cancels the work that is left of an operation of the type `delete_conversations`, `delete_memories`,
        `delete_user`, `repair_index`, `enrich_memories`, `create_archive` or `import`: no further step begins.
        Deleted items stay deleted and are still removed for good; imported items stay; the archive is deleted.
        The admin token of the service can cancel operations of any organization in the shared database. It can
        also cancel a `move_organization` until the organization has moved, and a `delete_organization` until
        the last row of the organization is removed. All data whose removal has not begun is then restored at
        once, with the keys that the deletion revoked. Canceling an operation again returns it unchanged.

        Needs the scope `write`, or the admin token as `api_key`.
        """
        return await self._http.call(
            _cancel_operation.request(
                operation_id=operation_id,
            )
        )
