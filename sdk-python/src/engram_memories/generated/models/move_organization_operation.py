# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.move_organization_operation_status import (
    MoveOrganizationOperationStatus,
    check_move_organization_operation_status,
)
from ..models.place import Place, check_place

if TYPE_CHECKING:
    from ..models.move_organization_operation_progress import MoveOrganizationOperationProgress


T = TypeVar("T", bound="MoveOrganizationOperation")


@_attrs_define
class MoveOrganizationOperation:
    """A move of an organization between the shared database and one of its own."""

    type: Literal["move_organization"]
    id: str
    """ Id of an operation: work that continues after the response, such as a deletion or an import. """
    status: MoveOrganizationOperationStatus
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
    progress: MoveOrganizationOperationProgress
    """ How much of the work is complete. """
    place: Place
    """ Where the data of the organization is. `d1`: in the database that all such organizations share. `cell`: in a
    database of its own, a Durable Object of Cloudflare, so that no other organization slows it down or fills it.
    """
    moved_at: None | str
    """ Time from which the organization is where it moved to. Its old rows are then removed. Null until then. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        status: str = self.status

        target_id = self.target_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        progress = self.progress.to_dict()

        place: str = self.place

        moved_at: None | str
        moved_at = self.moved_at

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
                "place": place,
                "moved_at": moved_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.move_organization_operation_progress import MoveOrganizationOperationProgress  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["move_organization"], d.pop("type"))
        if type != "move_organization":
            raise ValueError(f"type must match const 'move_organization', got '{type}'")

        id = d.pop("id")

        status = check_move_organization_operation_status(d.pop("status"))

        target_id = d.pop("target_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        progress = MoveOrganizationOperationProgress.from_dict(d.pop("progress"))

        place = check_place(d.pop("place"))

        def _parse_moved_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        moved_at = _parse_moved_at(d.pop("moved_at"))

        move_organization_operation = cls(
            type=type,
            id=id,
            status=status,
            target_id=target_id,
            created_at=created_at,
            completed_at=completed_at,
            progress=progress,
            place=place,
            moved_at=moved_at,
        )

        return move_organization_operation
