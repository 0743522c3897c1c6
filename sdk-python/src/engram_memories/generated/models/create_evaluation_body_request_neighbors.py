# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateEvaluationBodyRequestNeighbors")


@_attrs_define
class CreateEvaluationBodyRequestNeighbors:
    """How many neighbors of each match to return: the messages around it. Filters do not apply to them."""

    before: int | Unset = UNSET
    """ Messages before each match. """
    after: int | Unset = UNSET
    """ Messages after each match. """

    def to_dict(self) -> dict[str, Any]:
        before = self.before

        after = self.after

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if before is not UNSET:
            field_dict["before"] = before
        if after is not UNSET:
            field_dict["after"] = after

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        before = d.pop("before", UNSET)

        after = d.pop("after", UNSET)

        create_evaluation_body_request_neighbors = cls(
            before=before,
            after=after,
        )

        return create_evaluation_body_request_neighbors
