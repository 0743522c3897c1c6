# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.create_archive_operation_status import CreateArchiveOperationStatus, check_create_archive_operation_status

if TYPE_CHECKING:
    from ..models.create_archive_operation_progress import CreateArchiveOperationProgress


T = TypeVar("T", bound="CreateArchiveOperation")


@_attrs_define
class CreateArchiveOperation:
    """The writing of an archive. `target_id` is the id of the archive. It is canceled if the archive is deleted before it
    is complete.

    """

    type: Literal["create_archive"]
    id: str
    """ Id of an operation: work that continues after the response, such as a deletion or an import. """
    status: CreateArchiveOperationStatus
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
    progress: CreateArchiveOperationProgress
    """ How much of the work is complete. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        status: str = self.status

        target_id = self.target_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        progress = self.progress.to_dict()

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
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.create_archive_operation_progress import CreateArchiveOperationProgress  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["create_archive"], d.pop("type"))
        if type != "create_archive":
            raise ValueError(f"type must match const 'create_archive', got '{type}'")

        id = d.pop("id")

        status = check_create_archive_operation_status(d.pop("status"))

        target_id = d.pop("target_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        progress = CreateArchiveOperationProgress.from_dict(d.pop("progress"))

        create_archive_operation = cls(
            type=type,
            id=id,
            status=status,
            target_id=target_id,
            created_at=created_at,
            completed_at=completed_at,
            progress=progress,
        )

        return create_archive_operation
