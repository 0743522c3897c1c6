# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ImportOperationProgress")


@_attrs_define
class ImportOperationProgress:
    """How much of the work is complete."""

    done: int
    """ Number of lines completed so far. """
    total: int | None
    """ Number of lines to complete. Null if `createImport` did not state the number of lines. """

    def to_dict(self) -> dict[str, Any]:
        done = self.done

        total: int | None
        total = self.total

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "done": done,
                "total": total,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        done = d.pop("done")

        def _parse_total(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        total = _parse_total(d.pop("total"))

        import_operation_progress = cls(
            done=done,
            total=total,
        )

        return import_operation_progress
