# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="EvaluationRunRanksItem")


@_attrs_define
class EvaluationRunRanksItem:
    id: str
    """ Id of the message or memory. It stays when the item is deleted. """
    rank: int | None
    """ Place of the result that has the item, from 1. Null if none has it. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        rank: int | None
        rank = self.rank

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "rank": rank,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_rank(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        rank = _parse_rank(d.pop("rank"))

        evaluation_run_ranks_item = cls(
            id=id,
            rank=rank,
        )

        return evaluation_run_ranks_item
