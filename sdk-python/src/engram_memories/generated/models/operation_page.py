# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.create_archive_operation import CreateArchiveOperation
    from ..models.delete_conversation_operation import DeleteConversationOperation
    from ..models.delete_conversations_operation import DeleteConversationsOperation
    from ..models.delete_memories_operation import DeleteMemoriesOperation
    from ..models.delete_memory_operation import DeleteMemoryOperation
    from ..models.delete_message_operation import DeleteMessageOperation
    from ..models.delete_organization_operation import DeleteOrganizationOperation
    from ..models.delete_user_operation import DeleteUserOperation
    from ..models.enrich_memories_operation import EnrichMemoriesOperation
    from ..models.import_operation import ImportOperation
    from ..models.move_organization_operation import MoveOrganizationOperation
    from ..models.repair_index_operation import RepairIndexOperation


T = TypeVar("T", bound="OperationPage")


@_attrs_define
class OperationPage:
    """One page of a list."""

    items: list[
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
    ]
    """ Items of this page, in the order that the operation states. """
    next_cursor: None | str
    """ Cursor of the next page; null on the last page. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.create_archive_operation import CreateArchiveOperation  # noqa: PLC0415
        from ..models.delete_conversation_operation import DeleteConversationOperation  # noqa: PLC0415
        from ..models.delete_conversations_operation import DeleteConversationsOperation  # noqa: PLC0415
        from ..models.delete_memories_operation import DeleteMemoriesOperation  # noqa: PLC0415
        from ..models.delete_memory_operation import DeleteMemoryOperation  # noqa: PLC0415
        from ..models.delete_message_operation import DeleteMessageOperation  # noqa: PLC0415
        from ..models.delete_organization_operation import DeleteOrganizationOperation  # noqa: PLC0415
        from ..models.delete_user_operation import DeleteUserOperation  # noqa: PLC0415
        from ..models.enrich_memories_operation import EnrichMemoriesOperation  # noqa: PLC0415
        from ..models.move_organization_operation import MoveOrganizationOperation  # noqa: PLC0415
        from ..models.repair_index_operation import RepairIndexOperation  # noqa: PLC0415

        items = []
        for items_item_data in self.items:
            items_item: dict[str, Any]
            if isinstance(items_item_data, DeleteConversationOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, DeleteConversationsOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, DeleteMessageOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, DeleteMemoryOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, DeleteMemoriesOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, DeleteUserOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, DeleteOrganizationOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, MoveOrganizationOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, RepairIndexOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, EnrichMemoriesOperation):
                items_item = items_item_data.to_dict()
            elif isinstance(items_item_data, CreateArchiveOperation):
                items_item = items_item_data.to_dict()
            else:
                items_item = items_item_data.to_dict()

            items.append(items_item)

        next_cursor: None | str
        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "next_cursor": next_cursor,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.create_archive_operation import CreateArchiveOperation  # noqa: PLC0415
        from ..models.delete_conversation_operation import DeleteConversationOperation  # noqa: PLC0415
        from ..models.delete_conversations_operation import DeleteConversationsOperation  # noqa: PLC0415
        from ..models.delete_memories_operation import DeleteMemoriesOperation  # noqa: PLC0415
        from ..models.delete_memory_operation import DeleteMemoryOperation  # noqa: PLC0415
        from ..models.delete_message_operation import DeleteMessageOperation  # noqa: PLC0415
        from ..models.delete_organization_operation import DeleteOrganizationOperation  # noqa: PLC0415
        from ..models.delete_user_operation import DeleteUserOperation  # noqa: PLC0415
        from ..models.enrich_memories_operation import EnrichMemoriesOperation  # noqa: PLC0415
        from ..models.import_operation import ImportOperation  # noqa: PLC0415
        from ..models.move_organization_operation import MoveOrganizationOperation  # noqa: PLC0415
        from ..models.repair_index_operation import RepairIndexOperation  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:

            def _parse_items_item(
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

            items_item = _parse_items_item(items_item_data)

            items.append(items_item)

        def _parse_next_cursor(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        next_cursor = _parse_next_cursor(d.pop("next_cursor"))

        operation_page = cls(
            items=items,
            next_cursor=next_cursor,
        )

        return operation_page
