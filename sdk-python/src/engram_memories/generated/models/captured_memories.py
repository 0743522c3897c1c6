# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.captured_memories_items_item import CapturedMemoriesItemsItem


T = TypeVar("T", bound="CapturedMemories")


@_attrs_define
class CapturedMemories:
    items: list[CapturedMemoriesItemsItem]
    """ One item for each memory of the request, in the same order. """

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
        from ..models.captured_memories_items_item import CapturedMemoriesItemsItem  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = CapturedMemoriesItemsItem.from_dict(items_item_data)

            items.append(items_item)

        captured_memories = cls(
            items=items,
        )

        return captured_memories
