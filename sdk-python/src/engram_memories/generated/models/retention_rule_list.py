# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.retention_rule import RetentionRule


T = TypeVar("T", bound="RetentionRuleList")


@_attrs_define
class RetentionRuleList:
    """The rules of retention of an organization."""

    items: list[RetentionRule]
    """ The rules, oldest first. """

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
        from ..models.retention_rule import RetentionRule  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = RetentionRule.from_dict(items_item_data)

            items.append(items_item)

        retention_rule_list = cls(
            items=items,
        )

        return retention_rule_list
