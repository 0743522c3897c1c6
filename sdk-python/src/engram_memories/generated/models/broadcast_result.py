# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="BroadcastResult")


@_attrs_define
class BroadcastResult:
    listeners: int
    """ Number of subscriptions and streams that it was sent to. """

    def to_dict(self) -> dict[str, Any]:
        listeners = self.listeners

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "listeners": listeners,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        listeners = d.pop("listeners")

        broadcast_result = cls(
            listeners=listeners,
        )

        return broadcast_result
