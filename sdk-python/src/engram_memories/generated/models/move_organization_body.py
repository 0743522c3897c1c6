# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.place import Place, check_place

T = TypeVar("T", bound="MoveOrganizationBody")


@_attrs_define
class MoveOrganizationBody:
    place: Place
    """ Where the data of the organization is. `d1`: in the database that all such organizations share. `cell`: in a
    database of its own, a Durable Object of Cloudflare, so that no other organization slows it down or fills it.
    """

    def to_dict(self) -> dict[str, Any]:
        place: str = self.place

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "place": place,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        place = check_place(d.pop("place"))

        move_organization_body = cls(
            place=place,
        )

        return move_organization_body
