# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.repair_index_operation_status import RepairIndexOperationStatus, check_repair_index_operation_status

if TYPE_CHECKING:
    from ..models.repair_index_operation_problem_type_0 import RepairIndexOperationProblemType0
    from ..models.repair_index_operation_progress import RepairIndexOperationProgress


T = TypeVar("T", bound="RepairIndexOperation")


@_attrs_define
class RepairIndexOperation:
    """A repair of the search index."""

    type: Literal["repair_index"]
    id: str
    """ Id of an operation: work that continues after the response, such as a deletion or an import. """
    status: RepairIndexOperationStatus
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
    progress: RepairIndexOperationProgress
    """ How much of the work is complete. """
    reindexed: int
    """ Number of conversations and memories that were indexed again completely. """
    failed: int
    """ Number of conversations and memories of which some content could not be indexed for semantic search in 10
    attempts. Keyword search still finds them. """
    problem: None | RepairIndexOperationProblemType0
    """ Why the repair failed; null unless `status` is `failed`. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.repair_index_operation_problem_type_0 import RepairIndexOperationProblemType0  # noqa: PLC0415

        type = self.type

        id = self.id

        status: str = self.status

        target_id = self.target_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        progress = self.progress.to_dict()

        reindexed = self.reindexed

        failed = self.failed

        problem: dict[str, Any] | None
        if isinstance(self.problem, RepairIndexOperationProblemType0):
            problem = self.problem.to_dict()
        else:
            problem = self.problem

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
                "reindexed": reindexed,
                "failed": failed,
                "problem": problem,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.repair_index_operation_problem_type_0 import RepairIndexOperationProblemType0  # noqa: PLC0415
        from ..models.repair_index_operation_progress import RepairIndexOperationProgress  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["repair_index"], d.pop("type"))
        if type != "repair_index":
            raise ValueError(f"type must match const 'repair_index', got '{type}'")

        id = d.pop("id")

        status = check_repair_index_operation_status(d.pop("status"))

        target_id = d.pop("target_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        progress = RepairIndexOperationProgress.from_dict(d.pop("progress"))

        reindexed = d.pop("reindexed")

        failed = d.pop("failed")

        def _parse_problem(data: object) -> None | RepairIndexOperationProblemType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                problem_type_0 = RepairIndexOperationProblemType0.from_dict(data)

                return problem_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RepairIndexOperationProblemType0, data)

        problem = _parse_problem(d.pop("problem"))

        repair_index_operation = cls(
            type=type,
            id=id,
            status=status,
            target_id=target_id,
            created_at=created_at,
            completed_at=completed_at,
            progress=progress,
            reindexed=reindexed,
            failed=failed,
            problem=problem,
        )

        return repair_index_operation
