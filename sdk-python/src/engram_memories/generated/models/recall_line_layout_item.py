# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.recall_line_layout_item_part import RecallLineLayoutItemPart, check_recall_line_layout_item_part

T = TypeVar("T", bound="RecallLineLayoutItem")


@_attrs_define
class RecallLineLayoutItem:
    part: RecallLineLayoutItemPart
    """ List of the answer. """
    items: int
    """ Number of its items. """
    tokens: int
    """ Tokens of the list, as the answer stated them. """
    omitted: int
    """ Number of items or results that did not fit into the budget of tokens or bytes. """
    below_min_relevance: int
    """ Number of results that the floor `min_relevance` left out. """

    def to_dict(self) -> dict[str, Any]:
        part: str = self.part

        items = self.items

        tokens = self.tokens

        omitted = self.omitted

        below_min_relevance = self.below_min_relevance

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "part": part,
                "items": items,
                "tokens": tokens,
                "omitted": omitted,
                "below_min_relevance": below_min_relevance,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        part = check_recall_line_layout_item_part(d.pop("part"))

        items = d.pop("items")

        tokens = d.pop("tokens")

        omitted = d.pop("omitted")

        below_min_relevance = d.pop("below_min_relevance")

        recall_line_layout_item = cls(
            part=part,
            items=items,
            tokens=tokens,
            omitted=omitted,
            below_min_relevance=below_min_relevance,
        )

        return recall_line_layout_item
