# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.context_summary import ContextSummary


T = TypeVar("T", bound="ContextAnswerSummaries")


@_attrs_define
class ContextAnswerSummaries:
    """Summaries of the conversation, of messages before its newest ones that are included. Present only if `shares` gives
    them a weight.

    """

    items: list[ContextSummary]
    """ Summaries in the order of the messages, each message covered at most once: of higher levels at the beginning
    of the conversation, of lower levels towards its end. Without sentences about messages that are included. """
    tokens: int
    """ Upper bound on the tokens of these summaries in `text`. """

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        tokens = self.tokens

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "tokens": tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.context_summary import ContextSummary  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = ContextSummary.from_dict(items_item_data)

            items.append(items_item)

        tokens = d.pop("tokens")

        context_answer_summaries = cls(
            items=items,
            tokens=tokens,
        )

        return context_answer_summaries
