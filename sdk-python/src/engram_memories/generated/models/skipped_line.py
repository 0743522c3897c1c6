# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="SkippedLine")


@_attrs_define
class SkippedLine:
    """A line that is valid and was left out."""

    line: int
    """ Number of the line in this request, from 1. """
    skipped: Literal["forgotten"]
    """ Why. `forgotten`: the item, its conversation or its user was deleted with `forget`. """

    def to_dict(self) -> dict[str, Any]:
        line = self.line

        skipped = self.skipped

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "line": line,
                "skipped": skipped,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        line = d.pop("line")

        skipped = cast(Literal["forgotten"], d.pop("skipped"))
        if skipped != "forgotten":
            raise ValueError(f"skipped must match const 'forgotten', got '{skipped}'")

        skipped_line = cls(
            line=line,
            skipped=skipped,
        )

        return skipped_line
