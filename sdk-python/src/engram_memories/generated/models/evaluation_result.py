# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.evaluation import Evaluation
    from ..models.evaluation_result_moved_item import EvaluationResultMovedItem
    from ..models.evaluation_run import EvaluationRun


T = TypeVar("T", bound="EvaluationResult")


@_attrs_define
class EvaluationResult:
    """A run, compared with the one before."""

    evaluation: Evaluation
    """ A labelled query: a search, and what it should find. """
    previous: EvaluationRun | None
    """ The run before; null if this is the first. """
    moved: list[EvaluationResultMovedItem]
    """ Expected items that have another rank than in the run before. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.evaluation_run import EvaluationRun  # noqa: PLC0415

        evaluation = self.evaluation.to_dict()

        previous: dict[str, Any] | None
        if isinstance(self.previous, EvaluationRun):
            previous = self.previous.to_dict()
        else:
            previous = self.previous

        moved = []
        for moved_item_data in self.moved:
            moved_item = moved_item_data.to_dict()
            moved.append(moved_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "evaluation": evaluation,
                "previous": previous,
                "moved": moved,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.evaluation import Evaluation  # noqa: PLC0415
        from ..models.evaluation_result_moved_item import EvaluationResultMovedItem  # noqa: PLC0415
        from ..models.evaluation_run import EvaluationRun  # noqa: PLC0415

        d = dict(src_dict)
        evaluation = Evaluation.from_dict(d.pop("evaluation"))

        def _parse_previous(data: object) -> EvaluationRun | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                previous_type_0 = EvaluationRun.from_dict(data)

                return previous_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(EvaluationRun | None, data)

        previous = _parse_previous(d.pop("previous"))

        moved = []
        _moved = d.pop("moved")
        for moved_item_data in _moved:
            moved_item = EvaluationResultMovedItem.from_dict(moved_item_data)

            moved.append(moved_item)

        evaluation_result = cls(
            evaluation=evaluation,
            previous=previous,
            moved=moved,
        )

        return evaluation_result
