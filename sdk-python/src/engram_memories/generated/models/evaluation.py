# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.evaluation_operation import EvaluationOperation, check_evaluation_operation

if TYPE_CHECKING:
    from ..models.evaluation_run import EvaluationRun


T = TypeVar("T", bound="Evaluation")


@_attrs_define
class Evaluation:
    """A labelled query: a search, and what it should find."""

    id: str
    """ Id of an evaluation. """
    operation: EvaluationOperation
    """ Operation that is run. """
    request: Any
    """ Body of the search: the query, the filters and all other fields with their defaults. """
    expected: list[str]
    """ Ids of the messages and memories that the search should find. """
    depth: int
    """ Number of results that count: the k of any@k and nDCG. """
    agent_id: None | str
    """ Agent of the search: that of the key, or of the filter. """
    user_id: None | str
    """ User of the search: that of the key, of the filter, or of `conversation_id`. The evaluation is deleted with
    the user. """
    from_recall: None | str
    """ Receipt that it was made from; null if it was made from a request. """
    last_run: EvaluationRun | None
    """ The last run; null if there was none. """
    created_at: str
    """ Time when it was created. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.evaluation_run import EvaluationRun  # noqa: PLC0415

        id = self.id

        operation: str = self.operation

        request = self.request

        expected = self.expected

        depth = self.depth

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        from_recall: None | str
        from_recall = self.from_recall

        last_run: dict[str, Any] | None
        if isinstance(self.last_run, EvaluationRun):
            last_run = self.last_run.to_dict()
        else:
            last_run = self.last_run

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "operation": operation,
                "request": request,
                "expected": expected,
                "depth": depth,
                "agent_id": agent_id,
                "user_id": user_id,
                "from_recall": from_recall,
                "last_run": last_run,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.evaluation_run import EvaluationRun  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        operation = check_evaluation_operation(d.pop("operation"))

        request = d.pop("request")

        expected = cast(list[str], d.pop("expected"))

        depth = d.pop("depth")

        def _parse_agent_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        agent_id = _parse_agent_id(d.pop("agent_id"))

        def _parse_user_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        user_id = _parse_user_id(d.pop("user_id"))

        def _parse_from_recall(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        from_recall = _parse_from_recall(d.pop("from_recall"))

        def _parse_last_run(data: object) -> EvaluationRun | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                last_run_type_0 = EvaluationRun.from_dict(data)

                return last_run_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(EvaluationRun | None, data)

        last_run = _parse_last_run(d.pop("last_run"))

        created_at = d.pop("created_at")

        evaluation = cls(
            id=id,
            operation=operation,
            request=request,
            expected=expected,
            depth=depth,
            agent_id=agent_id,
            user_id=user_id,
            from_recall=from_recall,
            last_run=last_run,
            created_at=created_at,
        )

        return evaluation
