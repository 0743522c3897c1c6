# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="RepairIndexBody")


@_attrs_define
class RepairIndexBody:
    conversation_id: str | Unset = UNSET
    """ Repair only this conversation. Default: all conversations and memories. """

    def to_dict(self) -> dict[str, Any]:
        conversation_id = self.conversation_id

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if conversation_id is not UNSET:
            field_dict["conversation_id"] = conversation_id

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        conversation_id = d.pop("conversation_id", UNSET)

        repair_index_body = cls(
            conversation_id=conversation_id,
        )

        return repair_index_body
