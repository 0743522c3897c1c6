# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SetPresenceBody")


@_attrs_define
class SetPresenceBody:
    state: Any
    ttl_seconds: int | Unset = UNSET
    """ Number of seconds after which the presence ends unless it is set again, at most 60. Default 60. """

    def to_dict(self) -> dict[str, Any]:
        state = self.state

        ttl_seconds = self.ttl_seconds

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "state": state,
            }
        )
        if ttl_seconds is not UNSET:
            field_dict["ttl_seconds"] = ttl_seconds

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        state = d.pop("state")

        ttl_seconds = d.pop("ttl_seconds", UNSET)

        set_presence_body = cls(
            state=state,
            ttl_seconds=ttl_seconds,
        )

        return set_presence_body
