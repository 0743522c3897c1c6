# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="EvaluationResultMovedItem")


@_attrs_define
class EvaluationResultMovedItem:
    id: str
    """ Id of the message or memory. It stays when the item is deleted. """
    before: int | None
    """ Place of the result that has the item, from 1. Null if none has it. """
    now: int | None
    """ Place of the result that has the item, from 1. Null if none has it. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        before: int | None
        before = self.before

        now: int | None
        now = self.now

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "before": before,
                "now": now,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_before(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        before = _parse_before(d.pop("before"))

        def _parse_now(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        now = _parse_now(d.pop("now"))

        evaluation_result_moved_item = cls(
            id=id,
            before=before,
            now=now,
        )

        return evaluation_result_moved_item
