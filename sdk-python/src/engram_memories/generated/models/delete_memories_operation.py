# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.delete_memories_operation_status import (
    DeleteMemoriesOperationStatus,
    check_delete_memories_operation_status,
)

if TYPE_CHECKING:
    from ..models.delete_memories_operation_archives_item import DeleteMemoriesOperationArchivesItem
    from ..models.delete_memories_operation_progress import DeleteMemoriesOperationProgress


T = TypeVar("T", bound="DeleteMemoriesOperation")


@_attrs_define
class DeleteMemoriesOperation:
    """Deletion of memories by filter, or of all memories. It reports its progress, and when all their rows and vectors are
    removed for good.

    """

    type: Literal["delete_memories"]
    id: str
    """ Id of an operation: work that continues after the response, such as a deletion or an import. """
    status: DeleteMemoriesOperationStatus
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
    progress: DeleteMemoriesOperationProgress
    """ How much of the work is complete. """
    soft_deleted: int
    """ Number of memories deleted so far: they are excluded from every response, and then removed for good. """
    held: int
    """ Number of matching items that it found under legal hold and did not delete. `delete_user`: 0 again once it
    continues after a hold was lifted. What came under a hold after it was deleted does not count: the deletion is
    `running` until it can be removed for good. """
    hold_ids: list[str]
    """ Ids of the legal holds that held these items. """
    rows_deleted_at: None | str
    """ Time when the last database row and keyword index entry was removed for good; null until then. """
    vectors_deleted_at: None | str
    """ Time when the vector store confirmed that the vectors are deleted; null until then. """
    recoverable_until: None | str
    """ Time until which the history of the database, from which it can be restored to an earlier point in time,
    still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed. """
    archives: list[DeleteMemoriesOperationArchivesItem]
    """ Archives that may still have what was deleted: they were begun before the last row was removed, and their
    objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named:
    `archive_count` is the number of all. """
    archive_count: int
    """ Number of archives that may still have what was deleted, also of those that `archives` does not name. """
    memory_versions_deleted: int
    """ Number of earlier versions of memories that were removed for good so far. """
    retention_rule_id: None | str
    """ Id of the rule of retention that began the deletion; null if a request did, or if the items had expired. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        status: str = self.status

        target_id = self.target_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        progress = self.progress.to_dict()

        soft_deleted = self.soft_deleted

        held = self.held

        hold_ids = self.hold_ids

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

        memory_versions_deleted = self.memory_versions_deleted

        retention_rule_id: None | str
        retention_rule_id = self.retention_rule_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "id": id,
                "status": status,
                "target_id": target_id,
                "created_at": created_at,
                "completed_at": completed_at,
                "progress": progress,
                "soft_deleted": soft_deleted,
                "held": held,
                "hold_ids": hold_ids,
                "rows_deleted_at": rows_deleted_at,
                "vectors_deleted_at": vectors_deleted_at,
                "recoverable_until": recoverable_until,
                "archives": archives,
                "archive_count": archive_count,
                "memory_versions_deleted": memory_versions_deleted,
                "retention_rule_id": retention_rule_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delete_memories_operation_archives_item import DeleteMemoriesOperationArchivesItem  # noqa: PLC0415
        from ..models.delete_memories_operation_progress import DeleteMemoriesOperationProgress  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["delete_memories"], d.pop("type"))
        if type != "delete_memories":
            raise ValueError(f"type must match const 'delete_memories', got '{type}'")

        id = d.pop("id")

        status = check_delete_memories_operation_status(d.pop("status"))

        target_id = d.pop("target_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        progress = DeleteMemoriesOperationProgress.from_dict(d.pop("progress"))

        soft_deleted = d.pop("soft_deleted")

        held = d.pop("held")

        hold_ids = cast(list[str], d.pop("hold_ids"))

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
            archives_item = DeleteMemoriesOperationArchivesItem.from_dict(archives_item_data)

            archives.append(archives_item)

        archive_count = d.pop("archive_count")

        memory_versions_deleted = d.pop("memory_versions_deleted")

        def _parse_retention_rule_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        retention_rule_id = _parse_retention_rule_id(d.pop("retention_rule_id"))

        delete_memories_operation = cls(
            type=type,
            id=id,
            status=status,
            target_id=target_id,
            created_at=created_at,
            completed_at=completed_at,
            progress=progress,
            soft_deleted=soft_deleted,
            held=held,
            hold_ids=hold_ids,
            rows_deleted_at=rows_deleted_at,
            vectors_deleted_at=vectors_deleted_at,
            recoverable_until=recoverable_until,
            archives=archives,
            archive_count=archive_count,
            memory_versions_deleted=memory_versions_deleted,
            retention_rule_id=retention_rule_id,
        )

        return delete_memories_operation
