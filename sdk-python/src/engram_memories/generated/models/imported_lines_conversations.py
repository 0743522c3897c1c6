# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ImportedLinesConversations")


@_attrs_define
class ImportedLinesConversations:
    created: int
    """ Number of conversations that are new. """
    existing: int
    """ Number of conversations that were stored already. """

    def to_dict(self) -> dict[str, Any]:
        created = self.created

        existing = self.existing

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created": created,
                "existing": existing,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        created = d.pop("created")

        existing = d.pop("existing")

        imported_lines_conversations = cls(
            created=created,
            existing=existing,
        )

        return imported_lines_conversations
