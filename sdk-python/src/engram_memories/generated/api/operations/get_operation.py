# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
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
from ...models.move_organization_operation import MoveOrganizationOperation
from ...models.repair_index_operation import RepairIndexOperation


def request(
    operation_id: str,
) -> Request[
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
]:
    return Request(
        "GET",
        path_of(
            "/v1/operations/{operation_id}",
            operation_id=operation_id,
        ),
        parse,
        repeatable=True,
    )


def parse(
    status: int, body: Any
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
    def _parse_response_200(
        data: object,
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
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_0 = DeleteConversationOperation.from_dict(data)

            return componentsschemas_operation_type_0
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_1 = DeleteConversationsOperation.from_dict(data)

            return componentsschemas_operation_type_1
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_2 = DeleteMessageOperation.from_dict(data)

            return componentsschemas_operation_type_2
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_3 = DeleteMemoryOperation.from_dict(data)

            return componentsschemas_operation_type_3
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_4 = DeleteMemoriesOperation.from_dict(data)

            return componentsschemas_operation_type_4
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_5 = DeleteUserOperation.from_dict(data)

            return componentsschemas_operation_type_5
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_6 = DeleteOrganizationOperation.from_dict(data)

            return componentsschemas_operation_type_6
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_7 = MoveOrganizationOperation.from_dict(data)

            return componentsschemas_operation_type_7
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_8 = RepairIndexOperation.from_dict(data)

            return componentsschemas_operation_type_8
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_9 = EnrichMemoriesOperation.from_dict(data)

            return componentsschemas_operation_type_9
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_operation_type_10 = CreateArchiveOperation.from_dict(data)

            return componentsschemas_operation_type_10
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        if not isinstance(data, dict):
            raise TypeError()
        componentsschemas_operation_type_11 = ImportOperation.from_dict(data)

        return componentsschemas_operation_type_11

    response_200 = _parse_response_200(body)

    return response_200
