# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="MemoryVersionLineGiven")


@_attrs_define
class MemoryVersionLineGiven:
    """Whether you gave the tags and the summary. A text model never replaces those that you gave."""

    tags: bool
    """ `true`: you gave the tags. `false`: the text model may write them. """
    summary: bool
    """ `true`: you gave the summary. `false`: the text model may write it. """

    def to_dict(self) -> dict[str, Any]:
        tags = self.tags

        summary = self.summary

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "tags": tags,
                "summary": summary,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        tags = d.pop("tags")

        summary = d.pop("summary")

        memory_version_line_given = cls(
            tags=tags,
            summary=summary,
        )

        return memory_version_line_given
