# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.presence import Presence


T = TypeVar("T", bound="PresenceList")


@_attrs_define
class PresenceList:
    items: list[Presence]
    """ All presences, at most 100, in the order of `since`. """

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.presence import Presence  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = Presence.from_dict(items_item_data)

            items.append(items_item)

        presence_list = cls(
            items=items,
        )

        return presence_list
