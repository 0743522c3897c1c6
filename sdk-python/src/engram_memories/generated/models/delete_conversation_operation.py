# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.delete_conversation_operation_status import (
    DeleteConversationOperationStatus,
    check_delete_conversation_operation_status,
)

if TYPE_CHECKING:
    from ..models.delete_conversation_operation_archives_item import DeleteConversationOperationArchivesItem


T = TypeVar("T", bound="DeleteConversationOperation")


@_attrs_define
class DeleteConversationOperation:
    """Deletion of one conversation. It reports when the rows and vectors of the conversation are removed for good."""

    type: Literal["delete_conversation"]
    id: str
    """ Id of an operation: work that continues after the response, such as a deletion or an import. """
    status: DeleteConversationOperationStatus
    """ `running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or,
    for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a
    legal hold before it had moved. Only an operation of the type `repair_index` can fail. """
    target_id: str
    """ Id of the item that the operation works on, such as the deleted conversation or the user. If it works on
    several items otherwise, the id of the organization. """
    created_at: str
    """ Time of the request that started the operation. """
    completed_at: None | str
    """ Time when no work was left to do; null until then. """
    memories_flagged: int
    """ Number of memories that cite a deleted message and got a new version, because the organization's
    `on_source_deleted` is `flag`. """
    memories_deleted: int
    """ Number of memories that cite a deleted message and were deleted with it, because the organization's
    `on_source_deleted` is `delete`. Their rows and vectors are removed like those of any deleted memory. The times
    of this operation do not cover them. """
    summaries_deleted: int
    """ Number of summaries over deleted messages that were removed for good so far. """
    rows_deleted_at: None | str
    """ Time when the last database row and keyword index entry was removed for good; null until then. """
    vectors_deleted_at: None | str
    """ Time when the vector store confirmed that the vectors are deleted; null until then. """
    recoverable_until: None | str
    """ Time until which the history of the database, from which it can be restored to an earlier point in time,
    still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed. """
    archives: list[DeleteConversationOperationArchivesItem]
    """ Archives that may still have what was deleted: they were begun before the last row was removed, and their
    objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named:
    `archive_count` is the number of all. """
    archive_count: int
    """ Number of archives that may still have what was deleted, also of those that `archives` does not name. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        status: str = self.status

        target_id = self.target_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        memories_flagged = self.memories_flagged

        memories_deleted = self.memories_deleted

        summaries_deleted = self.summaries_deleted

        rows_deleted_at: None | str
        rows_deleted_at = self.rows_deleted_at

        vectors_deleted_at: None | str
        vectors_deleted_at = self.vectors_deleted_at

        recoverable_until: None | str
        recoverable_until = self.recoverable_until

        archives = []
        for archives_item_data in self.archives:
            archives_item = archives_item_data.to_dict()
            archives.append(archives_item)

        archive_count = self.archive_count

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "id": id,
                "status": status,
                "target_id": target_id,
                "created_at": created_at,
                "completed_at": completed_at,
                "memories_flagged": memories_flagged,
                "memories_deleted": memories_deleted,
                "summaries_deleted": summaries_deleted,
                "rows_deleted_at": rows_deleted_at,
                "vectors_deleted_at": vectors_deleted_at,
                "recoverable_until": recoverable_until,
                "archives": archives,
                "archive_count": archive_count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delete_conversation_operation_archives_item import DeleteConversationOperationArchivesItem  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["delete_conversation"], d.pop("type"))
        if type != "delete_conversation":
            raise ValueError(f"type must match const 'delete_conversation', got '{type}'")

        id = d.pop("id")

        status = check_delete_conversation_operation_status(d.pop("status"))

        target_id = d.pop("target_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        memories_flagged = d.pop("memories_flagged")

        memories_deleted = d.pop("memories_deleted")

        summaries_deleted = d.pop("summaries_deleted")

        def _parse_rows_deleted_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        rows_deleted_at = _parse_rows_deleted_at(d.pop("rows_deleted_at"))

        def _parse_vectors_deleted_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        vectors_deleted_at = _parse_vectors_deleted_at(d.pop("vectors_deleted_at"))

        def _parse_recoverable_until(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        recoverable_until = _parse_recoverable_until(d.pop("recoverable_until"))

        archives = []
        _archives = d.pop("archives")
        for archives_item_data in _archives:
            archives_item = DeleteConversationOperationArchivesItem.from_dict(archives_item_data)

            archives.append(archives_item)

        archive_count = d.pop("archive_count")

        delete_conversation_operation = cls(
            type=type,
            id=id,
            status=status,
            target_id=target_id,
            created_at=created_at,
            completed_at=completed_at,
            memories_flagged=memories_flagged,
            memories_deleted=memories_deleted,
            summaries_deleted=summaries_deleted,
            rows_deleted_at=rows_deleted_at,
            vectors_deleted_at=vectors_deleted_at,
            recoverable_until=recoverable_until,
            archives=archives,
            archive_count=archive_count,
        )

        return delete_conversation_operation
