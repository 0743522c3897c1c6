# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.context_result import ContextResult


T = TypeVar("T", bound="ContextAnswerResults")


@_attrs_define
class ContextAnswerResults:
    """Search results in conversations. Empty without `query`."""

    items: list[ContextResult]
    """ What the query finds in conversations, best first. No message is in two results, or also in `messages`. A
    long match is cut to the part with the most matching words. """
    tokens: int
    """ Upper bound on the tokens of these results in `text`. """
    omitted: int
    """ Number of search results that did not fit. """
    below_min_relevance: int
    """ Number of results, among the `limit` best, that were left out because their `relevance` is below
    `min_relevance`. """

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        tokens = self.tokens

        omitted = self.omitted

        below_min_relevance = self.below_min_relevance

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "tokens": tokens,
                "omitted": omitted,
                "below_min_relevance": below_min_relevance,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.context_result import ContextResult  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = ContextResult.from_dict(items_item_data)

            items.append(items_item)

        tokens = d.pop("tokens")

        omitted = d.pop("omitted")

        below_min_relevance = d.pop("below_min_relevance")

        context_answer_results = cls(
            items=items,
            tokens=tokens,
            omitted=omitted,
            below_min_relevance=below_min_relevance,
        )

        return context_answer_results
