# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.import_operation_status import ImportOperationStatus, check_import_operation_status

if TYPE_CHECKING:
    from ..models.import_operation_progress import ImportOperationProgress


T = TypeVar("T", bound="ImportOperation")


@_attrs_define
class ImportOperation:
    """An import whose lines are sent in several requests."""

    type: Literal["import"]
    id: str
    """ Id of an operation: work that continues after the response, such as a deletion or an import. """
    status: ImportOperationStatus
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
    progress: ImportOperationProgress
    """ How much of the work is complete. """
    lines_processed: int
    """ Number of lines processed, whether stored or rejected. To resume the import, send the lines after these. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        status: str = self.status

        target_id = self.target_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        progress = self.progress.to_dict()

        lines_processed = self.lines_processed

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
                "lines_processed": lines_processed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_operation_progress import ImportOperationProgress  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["import"], d.pop("type"))
        if type != "import":
            raise ValueError(f"type must match const 'import', got '{type}'")

        id = d.pop("id")

        status = check_import_operation_status(d.pop("status"))

        target_id = d.pop("target_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        progress = ImportOperationProgress.from_dict(d.pop("progress"))

        lines_processed = d.pop("lines_processed")

        import_operation = cls(
            type=type,
            id=id,
            status=status,
            target_id=target_id,
            created_at=created_at,
            completed_at=completed_at,
            progress=progress,
            lines_processed=lines_processed,
        )

        return import_operation
