# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="UpdateMessageBody")


@_attrs_define
class UpdateMessageBody:
    content: str | Unset = UNSET
    """ Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty. """
    metadata: Any | Unset = UNSET
    """ New metadata, which replaces all of the old. """

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        metadata = self.metadata

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if content is not UNSET:
            field_dict["content"] = content
        if metadata is not UNSET:
            field_dict["metadata"] = metadata

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        content = d.pop("content", UNSET)

        metadata = d.pop("metadata", UNSET)

        update_message_body = cls(
            content=content,
            metadata=metadata,
        )

        return update_message_body
