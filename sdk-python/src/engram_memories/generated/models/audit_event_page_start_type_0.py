# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AuditEventPageStartType0")


@_attrs_define
class AuditEventPageStartType0:
    """Where the chain begins, if a rule of retention has deleted its first events. Null if none is deleted."""

    number: int
    """ `number` of the last event that was deleted. """
    hash: str
    """ `hash` of it, from which that of the next event goes on. """

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        hash = self.hash

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "hash": hash,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        hash = d.pop("hash")

        audit_event_page_start_type_0 = cls(
            number=number,
            hash=hash,
        )

        return audit_event_page_start_type_0
