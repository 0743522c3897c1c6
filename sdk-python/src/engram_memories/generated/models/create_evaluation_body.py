# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.create_evaluation_body_request import CreateEvaluationBodyRequest


T = TypeVar("T", bound="CreateEvaluationBody")


@_attrs_define
class CreateEvaluationBody:
    request: CreateEvaluationBodyRequest | Unset = UNSET
    from_recall: str | Unset = UNSET
    """ Receipt of a search whose request is taken, in place of `request`. A receipt of a context cannot be used.
    """
    expected: list[str] | Unset = UNSET
    """ Ids of the messages and memories that the search should find. Default with `from_recall`: the items that its
    receipt notes as `used`. """
    depth: int | Unset = UNSET
    """ Number of results that count: the k of any@k and nDCG. """

    def to_dict(self) -> dict[str, Any]:
        request: dict[str, Any] | Unset = UNSET
        if not isinstance(self.request, Unset):
            request = self.request.to_dict()

        from_recall = self.from_recall

        expected: list[str] | Unset = UNSET
        if not isinstance(self.expected, Unset):
            expected = self.expected

        depth = self.depth

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if request is not UNSET:
            field_dict["request"] = request
        if from_recall is not UNSET:
            field_dict["from_recall"] = from_recall
        if expected is not UNSET:
            field_dict["expected"] = expected
        if depth is not UNSET:
            field_dict["depth"] = depth

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.create_evaluation_body_request import CreateEvaluationBodyRequest  # noqa: PLC0415

        d = dict(src_dict)
        _request = d.pop("request", UNSET)
        request: CreateEvaluationBodyRequest | Unset
        if isinstance(_request, Unset):
            request = UNSET
        else:
            request = CreateEvaluationBodyRequest.from_dict(_request)

        from_recall = d.pop("from_recall", UNSET)

        expected = cast(list[str], d.pop("expected", UNSET))

        depth = d.pop("depth", UNSET)

        create_evaluation_body = cls(
            request=request,
            from_recall=from_recall,
            expected=expected,
            depth=depth,
        )

        return create_evaluation_body
