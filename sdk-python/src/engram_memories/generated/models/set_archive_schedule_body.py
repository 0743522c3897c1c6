# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SetArchiveScheduleBody")


@_attrs_define
class SetArchiveScheduleBody:
    every_days: int | None
    """ An archive is begun each time this number of days has passed; null for none. """
    keep_days: int | None | Unset = UNSET
    """ Days after which such an archive expires. Default null: all are kept. """

    def to_dict(self) -> dict[str, Any]:
        every_days: int | None
        every_days = self.every_days

        keep_days: int | None | Unset
        if isinstance(self.keep_days, Unset):
            keep_days = UNSET
        else:
            keep_days = self.keep_days

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "every_days": every_days,
            }
        )
        if keep_days is not UNSET:
            field_dict["keep_days"] = keep_days

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_every_days(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        every_days = _parse_every_days(d.pop("every_days"))

        def _parse_keep_days(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        keep_days = _parse_keep_days(d.pop("keep_days", UNSET))

        set_archive_schedule_body = cls(
            every_days=every_days,
            keep_days=keep_days,
        )

        return set_archive_schedule_body
