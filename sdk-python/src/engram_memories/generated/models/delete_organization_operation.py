# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.delete_organization_operation_status import (
    DeleteOrganizationOperationStatus,
    check_delete_organization_operation_status,
)

if TYPE_CHECKING:
    from ..models.delete_organization_operation_archives_item import DeleteOrganizationOperationArchivesItem
    from ..models.delete_organization_operation_progress import DeleteOrganizationOperationProgress


T = TypeVar("T", bound="DeleteOrganizationOperation")


@_attrs_define
class DeleteOrganizationOperation:
    """Deletion of an organization. It reports its progress, and when all rows and vectors of the organization are removed
    for good.

    """

    type: Literal["delete_organization"]
    id: str
    """ Id of an operation: work that continues after the response, such as a deletion or an import. """
    status: DeleteOrganizationOperationStatus
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
    progress: DeleteOrganizationOperationProgress
    """ How much of the work is complete. """
    purged: int
    """ Number of conversations and memories removed for good. `cancelOperation` adds those whose removal has begun,
    which are not restored; then it does not change any more. """
    restored: int | None
    """ Number of conversations and memories that `cancelOperation` restored; null if the deletion is not canceled.
    """
    overridden_holds: list[str]
    """ Ids of the legal holds that the deletion lifted, because the request had `force`. `cancelOperation` restores
    them. """
    summaries_deleted: int
    """ Number of summaries over deleted messages that were removed for good so far. """
    rows_deleted_at: None | str
    """ Time when the last database row and keyword index entry was removed for good; null until then. """
    vectors_deleted_at: None | str
    """ Time when the vector store confirmed that the vectors are deleted; null until then. """
    recoverable_until: None | str
    """ Time until which the history of the database, from which it can be restored to an earlier point in time,
    still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed. """
    archives: list[DeleteOrganizationOperationArchivesItem]
    """ Archives that may still have what was deleted: they were begun before the last row was removed, and their
    objects exist. Empty once none does. Those that are kept longest come first, and at most 20 are named:
    `archive_count` is the number of all. """
    archive_count: int
    """ Number of archives that may still have what was deleted, also of those that `archives` does not name. """
    memory_versions_deleted: int
    """ Number of earlier versions of memories that were removed for good so far. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        status: str = self.status

        target_id = self.target_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        progress = self.progress.to_dict()

        purged = self.purged

        restored: int | None
        restored = self.restored

        overridden_holds = self.overridden_holds

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

        memory_versions_deleted = self.memory_versions_deleted

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
                "purged": purged,
                "restored": restored,
                "overridden_holds": overridden_holds,
                "summaries_deleted": summaries_deleted,
                "rows_deleted_at": rows_deleted_at,
                "vectors_deleted_at": vectors_deleted_at,
                "recoverable_until": recoverable_until,
                "archives": archives,
                "archive_count": archive_count,
                "memory_versions_deleted": memory_versions_deleted,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delete_organization_operation_archives_item import DeleteOrganizationOperationArchivesItem  # noqa: PLC0415
        from ..models.delete_organization_operation_progress import DeleteOrganizationOperationProgress  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["delete_organization"], d.pop("type"))
        if type != "delete_organization":
            raise ValueError(f"type must match const 'delete_organization', got '{type}'")

        id = d.pop("id")

        status = check_delete_organization_operation_status(d.pop("status"))

        target_id = d.pop("target_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        progress = DeleteOrganizationOperationProgress.from_dict(d.pop("progress"))

        purged = d.pop("purged")

        def _parse_restored(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        restored = _parse_restored(d.pop("restored"))

        overridden_holds = cast(list[str], d.pop("overridden_holds"))

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
            archives_item = DeleteOrganizationOperationArchivesItem.from_dict(archives_item_data)

            archives.append(archives_item)

        archive_count = d.pop("archive_count")

        memory_versions_deleted = d.pop("memory_versions_deleted")

        delete_organization_operation = cls(
            type=type,
            id=id,
            status=status,
            target_id=target_id,
            created_at=created_at,
            completed_at=completed_at,
            progress=progress,
            purged=purged,
            restored=restored,
            overridden_holds=overridden_holds,
            summaries_deleted=summaries_deleted,
            rows_deleted_at=rows_deleted_at,
            vectors_deleted_at=vectors_deleted_at,
            recoverable_until=recoverable_until,
            archives=archives,
            archive_count=archive_count,
            memory_versions_deleted=memory_versions_deleted,
        )

        return delete_organization_operation
