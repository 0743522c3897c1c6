# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="RotateKeyBody")


@_attrs_define
class RotateKeyBody:
    overlap_seconds: int | Unset = UNSET
    """ Number of seconds for which the old key stays valid; 0 ends it at once. At most 2,592,000 (30 days); default
    3,600. An earlier `expires_at` of the old key still applies. """
    expires_at: None | str | Unset = UNSET
    """ Time from which the new key is rejected. Default: null, the key does not expire. """

    def to_dict(self) -> dict[str, Any]:
        overlap_seconds = self.overlap_seconds

        expires_at: None | str | Unset
        if isinstance(self.expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if overlap_seconds is not UNSET:
            field_dict["overlap_seconds"] = overlap_seconds
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        overlap_seconds = d.pop("overlap_seconds", UNSET)

        def _parse_expires_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        expires_at = _parse_expires_at(d.pop("expires_at", UNSET))

        rotate_key_body = cls(
            overlap_seconds=overlap_seconds,
            expires_at=expires_at,
        )

        return rotate_key_body
