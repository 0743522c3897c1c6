# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ArchiveSchedule")


@_attrs_define
class ArchiveSchedule:
    """When archives are begun without a request."""

    every_days: int | None
    """ An archive is begun each time this number of days has passed; null for none. """
    keep_days: int | None
    """ Days after which such an archive expires; null to keep all. """
    next_at: None | str
    """ Time of the next archive; null if there is none. """

    def to_dict(self) -> dict[str, Any]:
        every_days: int | None
        every_days = self.every_days

        keep_days: int | None
        keep_days = self.keep_days

        next_at: None | str
        next_at = self.next_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "every_days": every_days,
                "keep_days": keep_days,
                "next_at": next_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_every_days(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        every_days = _parse_every_days(d.pop("every_days"))

        def _parse_keep_days(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        keep_days = _parse_keep_days(d.pop("keep_days"))

        def _parse_next_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        next_at = _parse_next_at(d.pop("next_at"))

        archive_schedule = cls(
            every_days=every_days,
            keep_days=keep_days,
            next_at=next_at,
        )

        return archive_schedule
