# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Highlight")


@_attrs_define
class Highlight:
    start: int
    """ Start offset in UTF-16 code units, as in JavaScript strings, from 0. """
    end: int
    """ End offset in the same unit; the character at this offset is not part of the range. """

    def to_dict(self) -> dict[str, Any]:
        start = self.start

        end = self.end

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "start": start,
                "end": end,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        start = d.pop("start")

        end = d.pop("end")

        highlight = cls(
            start=start,
            end=end,
        )

        return highlight
