# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Readiness")


@_attrs_define
class Readiness:
    status: Literal["ready"]
    migration: str
    """ File name of the newest database migration that this version of the service requires. The database has it.
    """

    def to_dict(self) -> dict[str, Any]:
        status = self.status

        migration = self.migration

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "status": status,
                "migration": migration,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        status = cast(Literal["ready"], d.pop("status"))
        if status != "ready":
            raise ValueError(f"status must match const 'ready', got '{status}'")

        migration = d.pop("migration")

        readiness = cls(
            status=status,
            migration=migration,
        )

        return readiness
